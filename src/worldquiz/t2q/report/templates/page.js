(() => {
  const { $, arrows, bring, centre, el, highlight, push, read, select } = worldquiz;
  const index = read("index");
  const state = { world: 0, run: 0, task: 0, step: null, question: null };
  let world = null; // the block of the world on show
  let run = null; // its part for the run on show
  let before = []; // commands given before each task, and last in all
  let firstAt = new Map(); // fact -> [task, step]
  let factsAt = new Map(); // "task.step" -> facts first shown there
  let questionsAt = new Map(); // "task.step" -> questions that became answerable there

  const text = (number) => world.texts[number];
  const at = (task, step) => task + "." + step;

  function showWorld(number) {
    state.world = number; state.question = null;
    world = read("w" + number);
    $("world").value = String(number);
    $("previous").disabled = number === 0;
    $("next").disabled = number === index.worlds.length - 1;
    $("map").innerHTML = world.map;
    for (const tab of $("runs").children) tab.disabled = !(tab.dataset.run in world.runs);
    const wanted = String(state.run) in world.runs ? state.run : Number(Object.keys(world.runs)[0]);
    showRun(wanted);
  }

  function showRun(number) {
    state.run = number;
    run = world.runs[number];
    select($("runs"), (tab) => Number(tab.dataset.run) === number);
    indexRun();
    drawCurve();
    $("sight").replaceChildren(...index.sights.map(([key, words]) =>
      el("li", {}, el("b", {}, run.sight[key][0] + " of " + run.sight[key][1]), " " + words)));
    $("tasks").replaceChildren(...world.tasks.map((task, number) => taskTab(number)));
    showQuestions();
    showTask(Math.min(state.task, world.tasks.length - 1));
    showUpto(before.at(-1));
  }

  function indexRun() {
    before = [0];
    for (const [, steps] of run.episodes) before.push(before.at(-1) + steps.length - 1);
    firstAt = new Map(); factsAt = new Map(); questionsAt = new Map();
    for (const [task, step, fact] of run.first) {
      firstAt.set(fact, [task, step]);
      push(factsAt, at(task, step), fact);
    }
    run.results.forEach(([moment], number) => {
      if (moment) push(questionsAt, at(...moment), number);
    });
  }

  const commandOf = ([task, step]) => before[task] + step;

  function firstOf(group) {
    const moments = group.dataset.f.split(" ").map((fact) => firstAt.get(Number(fact))).filter(Boolean);
    return moments.sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
  }

  // ---- The map and what was known after so many commands, through all tasks of the world ---------

  // What a question adds by a command: an answer to one that is never settled costs from the start.
  const gains = () => run.results.filter(([, , , score]) => typeof score === "number")
    .map(([moment, , , , points]) => ({ at: moment ? commandOf(moment) : 0, open: moment !== null, points }));

  function knownBy(command) {
    const asked = gains(), counted = asked.filter(({ points }) => points !== null), then = ({ at }) => at <= command;
    const open = asked.filter((each) => each.open && then(each)).length;
    const earned = counted.filter(then).reduce((sum, { points }) => sum + points, 0);
    return { open, coverage: asked.length ? open / asked.length : 0, knowledge: counted.length ? earned / counted.length : null };
  }

  function drawCurve() {
    const all = before.at(-1), known = Array.from({ length: all + 1 }, (_, command) => knownBy(command));
    const least = Math.min(0, ...known.map(({ knowledge }) => knowledge ?? 0));
    const x = (command) => (1000 * command) / Math.max(all, 1), y = (value) => 116 - (112 * (value - least)) / (1 - least);
    const stairs = (name) => known.map((one, command) => (command ? "H" + x(command) + "V" : "M0 ") + y(one[name] ?? 0)).join("");
    const path = (name, d) => { const node = document.createElementNS("http://www.w3.org/2000/svg", "path"); node.setAttribute("class", name); node.setAttribute("d", d); return node; };
    $("curve").style.setProperty("--c", "var(" + index.runs[state.run].colour + ")");
    $("curve").replaceChildren(path("zero", "M0 " + y(0) + "H1000"), ...before.slice(1, -1).map((command) => path("task", "M" + x(command) + " 0V120")),
      path("coverage", stairs("coverage")), path("knowledge", stairs("knowledge")), path("now", ""));
    $("upto").max = String(all);
  }

  function placeOf(command) {
    const task = Math.max(0, before.findIndex((start, place) => place > 0 && command <= start) - 1);
    return [task, command - before[task]];
  }

  function showUpto(command) {
    const all = before.at(-1), [task, step] = placeOf(command), { open, knowledge } = knownBy(command);
    const words = "After " + command + " of " + all + (all === 1 ? " command" : " commands") + (command && command < all ? " (task " + (task + 1) + ", step " + step + ")" : "") +
      ": " + open + " of " + run.results.length + " questions answerable (dashed)" + (knowledge === null ? "" : ", knowledge " + knowledge.toFixed(2).replace("-", "−")) + ".";
    $("upto").value = String(command);
    $("upto").setAttribute("aria-valuetext", words);
    $("then").textContent = words;
    $("end").hidden = command === all;
    $("sight").hidden = command < all;
    $("here").textContent = state.step === null ? "As known at the end of the run."
      : "The player is in the " + world.rooms[run.episodes[state.task][1][state.step][4]] + ": task " + (state.task + 1) + ", step " + state.step + ".";
    $("curve").lastElementChild.setAttribute("d", "M" + (1000 * command) / Math.max(all, 1) + " 0V120");
    markMap(command);
  }

  function slide() {
    const command = Number($("upto").value), [task, step] = placeOf(command);
    if (task !== state.task) showTask(task);
    mark(step);
    showUpto(command);
    remember();
  }

  function markMap(command) {
    for (const group of $("map").querySelectorAll("[data-f]")) {
      const first = firstOf(group), moment = first && commandOf(first) <= command ? first : null;
      group.classList.toggle("seen", Boolean(moment));
      group.querySelector(":scope > title")?.remove();
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = group.dataset.name + ": " +
        (first ? "first seen in task " + (first[0] + 1) + ", step " + first[1] : "not seen");
      group.prepend(title);
      const focusable = moment && group.matches(".room, .thing, .door");
      if (focusable) { group.setAttribute("tabindex", "0"); group.setAttribute("role", "button"); }
      else { group.removeAttribute("tabindex"); group.removeAttribute("role"); }
    }
  }

  function taskTab(number) {
    const won = run.episodes[number]?.[0] === "won";
    return el("button", {
      type: "button", role: "tab", "data-task": number, title: text(world.tasks[number][0]),
      "aria-label": "Task " + (number + 1) + (won ? ", won" : ", not won"),
      onclick: () => { showTask(number); mark(0); showUpto(before[number]); remember(); },
    }, (number + 1) + (won ? " ✓" : " ✗"));
  }

  const ENDINGS = { won: "won", step_limit: "stopped at the step limit", gave_up: "gave up" };

  function showTask(number) {
    state.task = number; state.step = null;
    const list = $("steps");
    select($("tasks"), (tab) => Number(tab.dataset.task) === number);
    const episode = run.episodes[number];
    if (!episode) { $("objective").textContent = "This world has no task."; list.replaceChildren(); return; }
    const [objective, plan, proof] = world.tasks[number];
    const [outcome, steps] = episode;
    $("objective").textContent = text(objective) + " — " + ENDINGS[outcome] + " in " + (steps.length - 1) +
      " commands; walkthrough " + plan.length + (proof === "shortest" ? " (shortest)" : "");
    $("objective").title = plan.map(text).join(" · ");
    list.replaceChildren(...steps.map((step, place) => stepItem(number, place, step, steps[place - 1])));
    list.scrollTop = 0;
    movePlayer(0);
  }

  function stepItem(task, place, [action, command, paragraphs, inventory], before) {
    const spoken = action === null ? "(start)" : "> " + text(action);
    const item = el("li", { class: "step", "data-step": place, tabindex: "-1" },
      el("button", { type: "button", class: "command", onclick: () => { goTo(task, place); remember(); } },
        el("span", { class: "n" }, String(place)), spoken));
    if (action !== null && command === null) item.append(el("span", { class: "refused" }, "refused"));
    else if (command !== action) item.append(el("span", { class: "refused" }, "read as: " + text(command)));
    for (const paragraph of paragraphs) item.append(el("p", {}, text(paragraph)));
    if (before && before[3] !== inventory) item.append(el("p", { class: "inventory" }, text(inventory)));
    const foot = stepFoot(task, place);
    if (foot) item.append(foot);
    return item;
  }

  function stepFoot(task, place) {
    const facts = factsAt.get(at(task, place)) || [];
    const questions = questionsAt.get(at(task, place)) || [];
    if (!facts.length && !questions.length) return null;
    const foot = el("div", { class: "foot" });
    if (questions.length) foot.append(el("span", { class: "soft" }, "now answerable:"));
    for (const number of questions) {
      foot.append(el("button", { type: "button", class: "link", onclick: () => goToQuestion(number) },
        world.questions[number][0]));
    }
    if (facts.length) {
      foot.append(el("details", {},
        el("summary", {}, facts.length + (facts.length === 1 ? " fact" : " facts") + " first shown"),
        el("ul", {}, ...facts.map((fact) => el("li", {}, world.facts[fact])))));
    }
    return foot;
  }

  function movePlayer(place) {
    const steps = run.episodes[state.task]?.[1];
    const you = $("map").querySelector(".you");
    if (!steps || !you) return;
    const name = world.rooms[steps[place][4]];
    const room = [...$("map").querySelectorAll(".room")].find((group) => group.dataset.name === name);
    you.classList.add("on");
    you.setAttribute("cx", room.dataset.x);
    you.setAttribute("cy", room.dataset.y);
    centre($("map"), room);
  }

  // Highlights a step of the task on show, and returns its item.
  function mark(place) {
    const item = $("steps").children[place];
    if (!item) return null;
    state.step = place;
    highlight($("steps"), item);
    movePlayer(place);
    $("steps").scrollTop = item.offsetTop - $("steps").clientHeight / 4;
    return item;
  }

  function unmark() {
    state.step = null;
    for (const old of $("steps").querySelectorAll(".hit")) old.classList.remove("hit");
  }

  function goTo(task, place) {
    if (task !== state.task) showTask(task);
    const item = mark(place);
    if (!item) return;
    showUpto(commandOf([task, place]));
    bring(item);
    item.focus({ preventScroll: true });
  }

  function showQuestions() {
    const verdict = $("verdict").value, type = $("kind").value;
    const kept = run.results.map((result, number) => number).filter((number) =>
      (!type || world.questions[number][1] === type) && fits(run.results[number], verdict));
    $("asked").replaceChildren(...kept.map(questionItem));
    $("tally").textContent = kept.length + " of " + run.results.length + " questions";
  }

  function fits([moment, , abstained, score], verdict) {
    switch (verdict) {
      case "answerable": return moment !== null;
      case "blind": return moment === null;
      case "right": return score === 1;
      case "wrong": return typeof score === "number" && score < 1;
      case "abstained": return Boolean(abstained);
      default: return true;
    }
  }

  function questionItem(number) {
    const [id, type, format, ask, choices, gold] = world.questions[number];
    const [moment, reply] = run.results[number];
    const known = el("span", { class: "meta" }, moment ? "answerable " : "non-answerable: never shown to this run");
    const item = el("li", { class: "question", "data-question": number, tabindex: "-1" },
      el("span", { class: "meta" }, id + " · " + type + " · " + format.replace("_", "/")),
      el("p", { class: "ask" }, text(ask)));
    const list = el("dl", {});
    const row = (name, value) => list.append(el("dt", {}, name), el("dd", {}, value));
    if (choices.length) row("choices", choices.map(text).join(" · "));
    row("true answer", text(gold));
    if (!moment) row("so right is", "non-answerable");
    row("reply", el("span", {}, text(reply) + " ", outcome(run.results[number])));
    item.append(list, known);
    if (moment) {
      item.append(el("button", { type: "button", class: "link", onclick: () => pick(number) },
        "since task " + (moment[0] + 1) + ", step " + moment[1] + " →"));
    }
    return item;
  }

  function outcome([moment, , abstained, score]) {
    if (typeof score === "string") return el("span", { class: "soft" }, "no grade: " + score);
    const words = abstained ? (moment ? "abstained, though answerable" : "rightly abstained")
      : moment ? (score === 1 ? "right" : "wrong") : "false answer";
    return el("span", { class: score === 1 ? "good" : "bad" }, (score === 1 ? "✓ " : "✗ ") + words);
  }

  function pick(number) {
    markQuestion(number);
    goTo(...run.results[number][0]);
    remember();
  }

  // Shows text and map as they were when a question could first be answered; at the end if never.
  function turnTo(number) {
    const moment = run.results[number][0];
    if (moment && moment[0] !== state.task) showTask(moment[0]);
    if (moment) mark(moment[1]);
    else unmark();
    showUpto(moment ? commandOf(moment) : before.at(-1));
  }

  function markQuestion(number) {
    state.question = number;
    const item = [...$("asked").children].find((child) => Number(child.dataset.question) === number);
    if (item) highlight($("asked"), item);
    const about = new Set(world.questions[number][6]);
    for (const group of $("map").querySelectorAll(".room, .thing, .door")) {
      group.classList.toggle("about", about.has(group.dataset.name));
    }
    return item;
  }

  function goToQuestion(number) {
    if (!markQuestion(number)) {
      $("verdict").value = ""; $("kind").value = "";
      showQuestions();
    }
    const item = markQuestion(number);
    turnTo(number);
    bring(item);
    item.focus({ preventScroll: true });
  }

  function remember() {
    worldquiz.remember({
      world: index.worlds[state.world].key, run: index.runs[state.run].tag, task: state.task + 1, step: state.step,
      question: state.question === null ? null : state.question + 1,
    });
  }

  function recall() {
    const parts = worldquiz.recall();
    const number = index.worlds.findIndex((one) => one.key === parts.get("world"));
    if (number < 0) return false;
    const tag = index.runs.findIndex((one) => one.tag === parts.get("run"));
    if (tag >= 0) state.run = tag;
    state.task = Math.max(0, Number(parts.get("task") || 1) - 1);
    showWorld(number);
    const question = Number(parts.get("question")) - 1;
    if (parts.has("step")) goTo(state.task, Number(parts.get("step")));
    else $("shown").focus({ preventScroll: true });
    if (question in world.questions) {
      if (parts.has("step")) markQuestion(question);
      else goToQuestion(question);
    }
    $("viewer").scrollIntoView();
    return true;
  }

  // What the list of all questions shows of a world, and of a choice in it.
  function load(number) {
    const { questions, runs, texts } = read("w" + number);
    const parts = Object.entries(runs).map(([run, part]) => [Number(run), part.results]);
    return questions.map(([, , , ask, choices, gold], place) => ({
      text: texts[ask], choices: choices.map((choice) => texts[choice]), gold: texts[gold],
      answers: parts.map(([run, results]) => {
        const [, reply, , score] = results[place], graded = typeof score === "number";
        return { run, reply: texts[reply], score: graded ? score : null, why: graded ? null : score };
      }),
    }));
  }

  function show(number, question) {
    showWorld(number);
    goToQuestion(question);
    $("viewer").scrollIntoView();
  }

  function onMap(event) {
    const group = event.target.closest(".seen");
    if (!group || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    goTo(...firstOf(group));
    remember();
  }

  function start() {
    const levels = new Map();
    index.worlds.forEach((one, number) => push(levels, one.level, el("option", { value: number }, one.key)));
    for (const [level, options] of levels) $("world").append(el("optgroup", { label: level }, ...options));
    $("runs").append(...index.runs.map((one, number) => el("button", {
      type: "button", role: "tab", "data-run": number, style: "--c:var(" + one.colour + ")", "aria-controls": "shown",
      onclick: () => { showRun(number); remember(); },
    }, el("span", { class: "tag" }, one.tag), " " + one.name)));
    $("world").addEventListener("change", () => { showWorld(Number($("world").value)); remember(); });
    $("previous").addEventListener("click", () => { showWorld(state.world - 1); remember(); });
    $("next").addEventListener("click", () => { showWorld(state.world + 1); remember(); });
    $("upto").addEventListener("input", slide);
    $("end").addEventListener("click", () => { unmark(); showUpto(before.at(-1)); $("upto").focus(); remember(); });
    $("asked").addEventListener("focusin", (event) => {
      const item = event.target.closest(".question");
      const number = item && item === event.target ? Number(item.dataset.question) : state.question;
      if (number === state.question) return;
      markQuestion(number);
      turnTo(number);
      remember();
    });
    $("verdict").addEventListener("change", showQuestions);
    $("kind").addEventListener("change", showQuestions);
    $("map").addEventListener("click", onMap);
    $("map").addEventListener("keydown", onMap);
    arrows($("runs"), ["ArrowLeft", "ArrowRight"], () => [...$("runs").children]);
    arrows($("tasks"), ["ArrowLeft", "ArrowRight"], () => [...$("tasks").children]);
    arrows($("steps"), ["ArrowUp", "ArrowDown"], () => [...$("steps").querySelectorAll(".command")]);
    window.addEventListener("hashchange", recall);
    $("viewer").hidden = false;
    if (!recall()) showWorld(0);
  }

  if (index.worlds.length) { start(); worldquiz.list(load, show); }
})();
