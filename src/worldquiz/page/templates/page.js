"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const read = (id) => JSON.parse($(id).textContent);
  const { benchmarks, levels, runs, statuses, types, worlds } = read("data");
  const form = $("filters"), list = $("asked"), page = 100, long = 120;
  const every = worlds.flatMap((world, place) => world.questions.map((question, number) => ({ place, number, question })));
  let shown = page, found = [];

  const el = (tag, options = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (name === "class") node.className = value;
      else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  };
  const chip = (run) => el("span", { class: "tag", style: `--c:var(${runs[run].colour})` }, runs[run].tag);

  // What is on show stands in the address: values are put beside those that it has, empty ones go.
  const recall = () => new URLSearchParams(location.hash.slice(1));
  function remember(values) {
    const parts = recall();
    for (const [name, value] of Object.entries(values)) {
      if (value === "" || value === null) parts.delete(name);
      else parts.set(name, value);
    }
    history.replaceState(null, "", "#" + parts);
  }

  const blocks = new Map(); // drawings of the worlds that were looked at last
  function blockOf(place) {
    if (blocks.size > 30) blocks.clear();
    if (!blocks.has(place)) blocks.set(place, read("q" + place));
    return blocks.get(place);
  }

  // ---- Filters -----------------------------------------------------------------------------------

  const wrong = ({ score }) => score !== null && score < 1;
  const coarse = (score) => (score === 0 || score === 1 ? score : 0.5);
  const shows = {
    wrong: (answers, run) => answers.some((each) => wrong(each) && (run === undefined || each.run === Number(run))),
    "all-wrong": (answers) => answers.some(({ score }) => score !== null) && answers.every(({ score }) => score !== 1),
    differ: (answers) => new Set(answers.map(({ score }) => score).filter((score) => score !== null).map(coarse)).size > 1,
    answerable: (answers) => answers.some((each) => each.shown),
    "not-answerable": (answers) => answers.some((each) => !each.shown),
  };

  for (const [name, label, options] of [["benchmark", "Benchmark", benchmarks], ["level", "Level", levels], ["type", "Type", types], ["status", "Reply", statuses]]) {
    if (options.length < 2) continue;
    const box = el("select", { name }, el("option", { value: "" }, "all"), ...options.map((each) => el("option", {}, each)));
    form.querySelector("[name=words]").parentElement.before(el("label", {}, label + " ", box));
  }

  function wordsOf({ place, question }) {
    const { text, gold, choices, answers } = question;
    question.words ??= [worlds[place].key, text, gold, ...choices, ...answers.map(({ reply }) => reply)].join(" ").toLowerCase();
    return question.words;
  }

  function wanted({ benchmark, level, type, status, which, words: text }) {
    const [name, ...whose] = (which || "").split(":"), parts = (text || "").toLowerCase().split(/\s+/).filter(Boolean);
    return (asked) => {
      const world = worlds[asked.place], { answers } = asked.question;
      if ((benchmark && world.benchmark !== benchmark) || (level && world.level !== level) || (type && asked.question.type !== type)) return false;
      return (!status || answers.some((each) => each.status === status)) && (!shows[name] || shows[name](answers, ...whose))
        && parts.every((part) => wordsOf(asked).includes(part));
    };
  }

  // ---- The list of questions ---------------------------------------------------------------------

  function reply(text) {
    if (text.length <= long) return el("q", {}, text);
    return el("details", {}, el("summary", {}, `${text.slice(0, long)}…`), el("q", {}, text));
  }

  function answerLine({ run, reply: said, score, status, shown: known, why }) {
    const kind = score === 1 ? "good" : score === 0 ? "bad" : "";
    const wrong = status !== "answered" ? "no answer" : known ? "wrong" : "false answer";
    const verdict = score === null ? "not graded" : score === 1 ? "right" : score === 0 ? wrong : score.toFixed(2);
    const notes = [status === "answered" ? null : status, known ? null : "was not shown", why].filter(Boolean);
    return el("li", { "data-run": run }, chip(run), " ", el("b", { class: kind }, verdict), " ",
      said ? reply(said) : null, notes.length ? el("small", {}, " " + notes.join(" · ")) : null);
  }

  function item({ place, number, question }) {
    const key = worlds[place].key;
    const link = el("a", { href: "#" + new URLSearchParams({ world: key, question: number + 1 }), onclick: choose }, `${key} · ${question.type} · ${number + 1}`);
    return el("li", { class: "question", "data-at": place + "." + number, tabindex: "-1" },
      el("p", { class: "ask" }, question.text), question.choices.length ? el("p", { class: "choices" }, question.choices.join(" · ")) : null,
      el("p", {}, "True answer: ", el("b", {}, question.gold), " ", el("small", {}, link)),
      el("ul", {}, ...question.answers.map(answerLine)));
  }

  // A link keeps the filters; its own address, to be copied, holds the question alone.
  function choose(event) {
    event.preventDefault();
    const row = event.target.closest("li.question"), [place, number] = row.dataset.at.split(".").map(Number);
    remember({ world: worlds[place].key, question: number + 1, run: null, step: null });
    hit(row);
    row.focus({ preventScroll: true });
    show({ place, number });
  }

  const state = () => Object.fromEntries(new FormData(form));

  function filter() {
    found = every.filter(wanted(state()));
    draw();
  }

  function draw() {
    list.replaceChildren(...found.slice(0, shown).map(item));
    $("count").textContent = found.length ? `${Math.min(shown, found.length)} of ${found.length} questions shown` : "No question matches";
    $("more").hidden = shown >= found.length;
  }

  function hit(row, block = "nearest") {
    for (const old of list.querySelectorAll(".hit")) old.classList.remove("hit");
    row.classList.add("hit");
    row.scrollIntoView({ block, behavior: "instant" });
  }

  // ---- A world as a run was shown it -------------------------------------------------------------

  const NS = "http://www.w3.org/2000/svg", now = { place: 0, run: 0, number: null, steps: [], texts: [] };
  const parsed = (text) => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  function drawn(tag, options) {
    const node = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(options)) node.setAttribute(name, value);
    return node;
  }

  function picture([uri, width, height, lines]) {
    const node = parsed(`<svg xmlns="${NS}" viewBox="0 0 ${width} ${height}" width="${Math.min(400, 2 * width)}" role="img" aria-label="Picture that was shown">${lines}</svg>`);
    node.prepend(drawn("image", { href: now.texts[uri], width, height }));
    return node;
  }

  function show({ place, number = null }, given = {}) {
    if (!$("world")) return;
    const block = blockOf(place), known = Object.keys(block.drawn).map(Number);
    $("world").hidden = false;
    $("place").value = place;
    for (const part of ["who", "drawing", "text", "pictures"]) $(part).hidden = !known.length;
    $("slide").hidden = true;
    if (!known.length) { $("legend").textContent = `This world is not drawn: ${block.why}.`; return; }
    const run = [given.run, now.run, known[0]].find((each) => known.includes(each));
    const { svg, steps, about, pictures, legend } = block.drawn[run], question = number === null ? null : worlds[place].questions[number];
    Object.assign(now, { place, run, number, steps, texts: block.texts });
    $("who").replaceChildren(...known.map((each) => el("button", { type: "button", "aria-pressed": String(each === run), "aria-label": runs[each].name, onclick: () => {
      remember({ run: runs[each].tag, step: null });
      show({ place, number }, { run: each });
      $("who").querySelector("[aria-pressed=true]").focus();
    } }, chip(each))));
    $("drawing").replaceChildren(parsed(block.texts[svg]));
    const marked = new Set(question ? about[question.id] : []);
    for (const part of $("drawing").querySelectorAll("[data-part]")) {
      part.classList.toggle("about", part.dataset.part.split(" ").some((each) => marked.has(Number(each))));
    }
    $("legend").textContent = legend;
    $("pictures").replaceChildren(...((question && pictures[question.id]) || []).map(picture));
    const answer = question && question.answers.find((each) => each.run === run);
    const first = answer && answer.step !== null ? steps.findIndex(([episode, step]) => episode === answer.episode && step === answer.step) : -1;
    $("slide").hidden = steps.length < 2;
    $("step").max = steps.length - 1;
    go(given.step ?? (first >= 0 ? first : steps.length - 1));
    const box = $("drawing"), mark = box.querySelector(".about, .you");
    if (!mark) return;
    const view = box.getBoundingClientRect(), at = mark.getBoundingClientRect();
    box.scrollBy(at.x + at.width / 2 - view.x - view.width / 2, at.y + at.height / 2 - view.y - view.height / 2);
  }

  // The slider stands at a step: parts that no step showed until then are not seen.
  function go(place) {
    const { steps, texts } = now, at = Math.max(0, Math.min(place, steps.length - 1));
    const seen = new Set(steps.slice(0, at + 1).flatMap(([, , , parts]) => parts));
    for (const part of $("drawing").querySelectorAll("[data-part]")) {
      const hidden = steps.length && !part.classList.contains("only") && !part.dataset.part.split(" ").some((each) => seen.has(Number(each)));
      part.classList.toggle("unseen", Boolean(hidden));
    }
    for (const old of $("drawing").querySelectorAll(".you")) old.remove();
    $("text").hidden = !steps.length;
    if (!steps.length) return;
    const [episode, step, text, , stands, shot] = steps[at];
    const of = (steps[steps.length - 1][0] ? `Task ${episode + 1}, step ${step}` : `Step ${step}`);
    $("step").value = at;
    $("step").setAttribute("aria-valuetext", of);
    $("told").textContent = `${of}: what was shown so far is bright`;
    $("text").textContent = texts[text];
    if (shot) $("pictures").replaceChildren(picture(shot));
    if (stands) $("drawing").firstChild.append(drawn("circle", { class: "you", cx: stands[0], cy: stands[1], r: 6 }));
  }

  if ($("world")) {
    $("place").append(...worlds.map((world, place) => el("option", { value: place }, world.key)));
    $("place").addEventListener("change", () => {
      const place = Number($("place").value);
      remember({ world: worlds[place].key, question: null, run: null, step: null });
      show({ place });
    });
    $("step").addEventListener("input", () => {
      go(Number($("step").value));
      remember({ world: worlds[now.place].key, run: runs[now.run].tag, step: $("step").value });
    });
  }

  // An address tells the filters and the question; the question is shown whatever the filters hide.
  function follow() {
    const told = recall();
    for (const field of form.elements) if (field.name) field.value = told.get(field.name) || "";
    for (const field of form.elements) if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = "";
    shown = page;
    filter();
    const place = worlds.findIndex((world) => world.key === told.get("world")), number = Number(told.get("question")) - 1;
    const at = (each) => each.place === place && each.number === number, one = every.find(at);
    const given = { run: runs.findIndex((each) => each.tag === told.get("run")), step: told.has("step") ? Number(told.get("step")) || 0 : undefined };
    if (one) {
      if (!found.some(at)) { form.reset(); filter(); }
      shown = Math.max(shown, found.findIndex(at) + 1);
      draw();
      hit(list.children[found.findIndex(at)], "center");
      show(one, given);
    } else if (worlds.length) show({ place: Math.max(0, place) }, given);
  }

  let waiting = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    const again = () => { shown = page; filter(); remember(state()); };
    if (event.target.name === "words" && worlds.length > 20) waiting = setTimeout(again, 250);
    else again();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  $("more").addEventListener("click", () => { shown += page; draw(); });
  addEventListener("hashchange", follow);

  list.addEventListener("keydown", (event) => {
    const by = { j: 1, k: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = list.children[[...list.children].findIndex((each) => each.contains(document.activeElement)) + by];
    if (next) next.querySelector("a").click();
    event.preventDefault();
  });

  // A heading sorts its table, numbers from the most, names from A; again the other way round.
  for (const button of document.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => {
      const heading = button.closest("th"), place = heading.cellIndex, before = heading.ariaSort;
      const down = before === "ascending" || (before === null && place > 0);
      for (const each of heading.parentElement.cells) each.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[place].dataset.value;
      const order = (a, b) => {
        const [one, two] = [value(a), value(b)];
        if (one === "" || two === "") return (one === "") - (two === "");
        const rise = place ? Number(one) - Number(two) : one.localeCompare(two);
        return down ? -rise : rise;
      };
      for (const body of heading.closest("table").tBodies) body.append(...[...body.rows].sort(order));
    });
  }

  form.hidden = false;
  follow();
})();
