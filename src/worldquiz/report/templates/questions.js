// The list of all questions: filters that answer from the page's index, words read when shown.
// A page that draws worlds gives `load`, which turns a world's block into questions, and `show`.
worldquiz.list = (load = (number) => worldquiz.read("q" + number), show = null) => {
  const { $, el, recall, remember, read } = worldquiz;
  const { benchmarks, levels, runs, signs, statuses, types, used, worlds } = read("index");
  const form = $("filters"), body = $("table").tBodies[0], page = 100, long = 120;
  const every = worlds.flatMap((world, place) => world.types.map((type, number) => ({ place, number, type })));
  let shown = page, found = [];

  // ---- Filters: a letter says an answer's grade, whether it could be known, what became of it ----

  const code = Object.fromEntries([...signs].map((sign, value) => [sign, value]));
  const codesOf = ({ place, number }) => Object.entries(worlds[place].signs)
    .filter(([, letters]) => letters[number] !== " ").map(([run, letters]) => [Number(run), code[letters[number]]]);
  const grade = (value) => value & 3, answerable = (value) => value & 4, status = (value) => value >> 3;
  const wrong = (value) => grade(value) === 1 || grade(value) === 2;
  const differ = (values) => new Set(values.map(grade).filter(Boolean)).size > 1;
  const shows = {
    "": () => true,
    wrong: (codes, run) => codes.some(([who, value]) => wrong(value) && (run === undefined || who === Number(run))),
    "all-wrong": (codes) => codes.some(([, value]) => grade(value)) && codes.every(([, value]) => grade(value) !== 3),
    differ: (codes, one, other) => differ(codes.filter(([who]) => one === undefined || who === Number(one) || who === Number(other)).map(([, value]) => value)),
    answerable: (codes) => codes.some(([, value]) => answerable(value)),
    "not-answerable": (codes) => codes.some(([, value]) => !answerable(value)),
  };

  function choice(name, words, options) {
    if (options.length < 2) return;
    const box = el("select", { name }, el("option", { value: "" }, "all"), ...options.map((each) => el("option", {}, each)));
    form.querySelector("[name=words]").parentElement.before(el("label", {}, words + " ", box));
  }
  choice("benchmark", "Benchmark", benchmarks);
  choice("level", "Level", levels);
  choice("type", "Type", types);
  choice("status", "Reply", used);

  function wanted({ benchmark, level, type, status: became, which }) {
    const [name, ...whose] = (which || "").split(":"), kind = types.indexOf(type), state = statuses.indexOf(became);
    return (question) => {
      const world = worlds[question.place];
      if ((benchmark && world.benchmark !== benchmark) || (level && world.level !== level) || (type && question.type !== kind)) return false;
      if (!which && !became) return true;
      const codes = codesOf(question);
      return (!became || codes.some(([, value]) => status(value) === state)) && (shows[name] || shows[""])(codes, ...whose);
    };
  }

  const blocks = new Map(); // of the worlds that were read last
  function questionsOf(place) {
    if (blocks.size > 30) blocks.clear();
    if (!blocks.has(place)) blocks.set(place, load(place));
    return blocks.get(place);
  }

  const words = new Map(); // what is searched of a world, kept once it was read
  function wordsOf(place) {
    if (!words.has(place)) {
      words.set(place, questionsOf(place).map((each) =>
        [worlds[place].key, each.text, each.gold, ...each.choices, ...each.answers.map((answer) => answer.reply)].join(" ").toLowerCase()));
    }
    return words.get(place);
  }

  function search(given) {
    const parts = (given || "").toLowerCase().split(/\s+/).filter(Boolean);
    return (question) => !parts.length || parts.every((part) => wordsOf(question.place)[question.number].includes(part));
  }

  // ---- The table ---------------------------------------------------------------------------------

  function reply(text) {
    if (text.length <= long) return el("span", { class: "reply" }, text);
    return el("details", {}, el("summary", {}, `${text.slice(0, long)}…`), el("span", { class: "reply" }, text));
  }

  function cell(answer, value, run, mixed) {
    const label = runs[run].tag;
    if (!answer) return el("td", { class: "none", "data-label": label }, "–");
    const { score } = answer, kind = score === 1 ? "good" : score === 0 ? "bad" : "";
    const became = statuses[status(value)];
    const notes = [mixed && !answerable(value) ? "not answerable" : null, became === "answered" ? null : became, answer.why].filter(Boolean);
    return el("td", { "data-label": label },
      el("b", { class: kind }, score === null ? "not graded" : score.toFixed(2)), " ", answer.reply ? reply(answer.reply) : null,
      notes.length ? el("small", {}, notes.join(" · ")) : null);
  }

  function line(asked) {
    const { place, number, type } = asked, question = questionsOf(place)[number], key = worlds[place].key;
    const codes = new Map(codesOf(asked));
    // What the trajectory could have shown differs between runs only where agents acted differently.
    const mixed = new Set([...codes.values()].map((value) => Boolean(answerable(value)))).size > 1;
    const cells = runs.map((_, run) => cell(question.answers.find((each) => each.run === run), codes.get(run), run, mixed));
    const hidden = !mixed && ![...codes.values()].some(answerable) ? el("small", {}, "not answerable") : null;
    const choices = question.choices.length ? el("span", { class: "choices" }, question.choices.join(" · ")) : null;
    const link = el("a", { class: "link", href: "#" + new URLSearchParams({ world: key, question: number + 1 }), onclick: go,
      "aria-label": `${show ? "Show" : "Link to"} question ${number + 1} of ${key}` }, show ? "show" : "#");
    return el("tr", { "data-at": place + "." + number, tabindex: "-1" }, el("th", { scope: "row" }, link, ` ${key}`),
      el("td", { class: "ask" }, question.text, choices, el("span", { class: "kind" }, types[type])),
      el("td", { "data-label": "true answer" }, question.gold, hidden), ...cells);
  }

  // A link keeps the filters; its own address, to be copied, holds the question alone.
  function go(event) {
    event.preventDefault();
    const row = event.target.closest("tr"), [place, number] = row.dataset.at.split(".").map(Number);
    remember({ world: worlds[place].key, question: number + 1, run: null, task: null, step: null });
    hit(row);
    if (show) show(place, number);
  }

  const state = () => Object.fromEntries([...new FormData(form)].filter(([name]) => name !== "keys"));

  function filter() {
    const now = state();
    found = every.filter(wanted(now)).filter(search(now.words));
    draw();
  }

  function draw() {
    body.replaceChildren(...found.slice(0, shown).map(line));
    $("count").textContent = found.length ? `${Math.min(shown, found.length)} of ${found.length} questions shown` : "No question is like this";
    $("more").hidden = shown >= found.length;
  }

  function hit(row) {
    for (const old of body.querySelectorAll(".hit")) old.classList.remove("hit");
    row.classList.add("hit");
    row.scrollIntoView({ block: show ? "nearest" : "center", behavior: "instant" });
  }

  // An address tells the filters and the question; the question is shown whatever the filters hide.
  function follow() {
    const told = recall();
    for (const field of form.elements) if (field.name && field.name !== "keys") field.value = told.get(field.name) || "";
    for (const field of form.elements) if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = "";
    shown = page;
    const place = worlds.findIndex((world) => world.key === told.get("world")), number = Number(told.get("question")) - 1;
    const at = (each) => each.place === place && each.number === number;
    filter();
    if (show || !every.some(at)) return;
    if (!found.some(at)) { form.reset(); filter(); }
    shown = Math.max(shown, found.findIndex(at) + 1);
    draw();
    hit(body.rows[found.findIndex(at)]);
  }

  let waiting = 0;
  form.addEventListener("input", (event) => {
    if (event.target.name === "keys") return;
    clearTimeout(waiting);
    const again = () => { shown = page; filter(); remember(state()); };
    if (event.target.name === "words" && worlds.length > 20) waiting = setTimeout(again, 250);
    else again();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  $("more").addEventListener("click", () => { shown += page; draw(); });
  addEventListener("hashchange", follow);

  // ---- Keys: j and k walk through the questions where the reader is, / leads to the search -------

  function walk(by) {
    const pane = document.activeElement.closest("#viewer") && document.querySelector("ol.questions");
    const items = [...(pane ? pane.children : body.rows)];
    const here = items.findIndex((item) => item.contains(document.activeElement) || item.classList.contains("hit"));
    const item = items[here < 0 ? 0 : here + by];
    if (item) {
      if (!pane) hit(item);
      item.focus({ preventScroll: !pane });
    } else if (!pane && by > 0 && shown < found.length) {
      shown += page;
      draw();
      hit(body.rows[here + 1]);
      body.rows[here + 1].focus({ preventScroll: true });
    }
  }

  addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]):not([type=range]), select, textarea");
    if (event.key === "Escape" && typing) typing.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !form.elements.keys.checked) return;
    const inTable = event.target.closest("#table tr");
    const keys = { j: 1, k: -1, ...(inTable ? { ArrowDown: 1, ArrowUp: -1 } : {}) };
    if (event.key === "/") form.elements.words.focus();
    else if (event.key === "Enter" && event.target.matches("#table tr")) event.target.querySelector("a.link").click();
    else if (event.key in keys) walk(keys[event.key]);
    else return;
    event.preventDefault();
  });

  form.hidden = false;
  follow();
};
