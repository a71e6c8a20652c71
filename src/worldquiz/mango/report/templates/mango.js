(() => {
  const { $, arrows, bring, el, highlight, read, select } = worldquiz;
  const index = read("index");
  const state = { maze: 0, question: null, step: null, whole: false };
  let maze = null; // the block of the maze on show

  const text = (number) => maze.texts[number];
  const plural = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");

  function showMaze(number) {
    state.maze = number; state.question = null; state.whole = false;
    maze = read("m" + number);
    $("maze").value = String(number);
    $("previous").disabled = number === 0;
    $("next").disabled = number === index.worlds.length - 1;
    state.step = null;
    mazeMap.show(maze);
    $("upto").max = String(maze.read);
    $("routekey").hidden = true;
    showStep(maze.read);
    showQuestions();
    showSteps();
    mazeMap.centre(maze.places[maze.first.indexOf(0)]);
  }

  function showStep(step, latest = false) {
    $("upto").value = String(step);
    $("step").textContent = String(step);
    const told = mazeMap.mark(step, latest);
    $("told").textContent = told.places + " of " + plural(maze.places.length, "place") + "; of " + plural(maze.edges.length, "move") +
      " " + told.taken + " taken and " + told.imputed + " imputed.";
  }

  // Questions

  const who = () => ($("contestant") && $("contestant").value !== "" ? [$("contestant").value] : index.runs.map((one, place) => String(place)));
  const answersOf = (question) => who().filter((place) => place in question.answers).map((place) => question.answers[place]);

  function verdictOf(answer) {
    if (answer.form === "ill-formed") return "ill-formed";
    return answer.score[0] === 1 ? "right" : answer.score[0] > 0 ? "partly" : "wrong";
  }

  function fits(question) {
    const answers = answersOf(question), wanted = $("verdict").value, level = $("level").value;
    if (!answers.length || ($("task").value && $("task").value !== question.task)) return false;
    if (level && !answers.some((answer) => answer.level === level)) return false;
    if (wanted === "differ") return new Set(Object.values(question.answers).map((answer) => answer.score[0])).size > 1;
    return !wanted || answers.some((answer) => verdictOf(answer) === wanted || (wanted === "wrong" && verdictOf(answer) === "ill-formed"));
  }

  function showQuestions() {
    const kept = maze.questions.map((question, number) => number).filter((number) => fits(maze.questions[number]));
    $("asked").replaceChildren(...kept.map(questionItem));
    $("asked").scrollTop = 0;
    $("tally").textContent = kept.length + " of " + plural(maze.questions.length, "question");
    const item = itemOf(state.question);
    if (item) { highlight($("asked"), item); item.querySelector(".ask").setAttribute("aria-pressed", "true"); }
  }

  const itemOf = (number) => [...$("asked").children].find((item) => Number(item.dataset.question) === number);

  function words(question) {
    if (question.task === "rf") return "How can you go from " + question.source + " to " + question.correct[0] + "?";
    return "Starting from " + question.source + ", perform a list of actions [" + question.actions.join(", ") + "], where are you now?";
  }

  function questionItem(number) {
    const question = maze.questions[number];
    const levels = [...new Set(Object.values(question.answers).map((answer) => answer.level || "not settled by what was read"))];
    return el("li", { class: "question", "data-question": number, tabindex: "-1" },
      el("span", { class: "meta" }, question.task.toUpperCase() + " · " + levels.join(" / ") + " · " + question.id.slice(0, 8)),
      el("button", { type: "button", class: "ask", "aria-pressed": "false", onclick: () => { pick(number); remember(); } }, words(question)),
      correctLine(question),
      ...who().filter((place) => place in question.answers).map((place) => given(question, place)));
  }

  function correctLine(question) {
    if (question.task === "df") return el("p", { class: "moves" }, "correct: ", el("b", {}, question.correct.join(" or ")));
    const route = routeOf(question);
    return el("p", { class: "moves" }, route ? "a shortest route: " : "no route is told", ...(route ? edgesLine(route) : []));
  }

  const edgesLine = (route) => trail(route.map((number) => {
    const [source, action, target] = maze.edges[number];
    return [maze.places[source], action, maze.places[target]];
  }));

  // Writes moves as "A —north→ B —up→ C"; a place that the next move does not start from is written too.
  function trail(moves) {
    const parts = [];
    moves.forEach(([source, action, target], place) => {
      if (!place || moves[place - 1][2] !== source) parts.push(place ? " ; " : "", source);
      parts.push(" ", el("span", { class: "arrow" }, "—"), el("b", {}, action), el("span", { class: "arrow" }, "→"), " ", target);
    });
    return parts;
  }

  function given(question, place) {
    const answer = question.answers[place], one = index.runs[place];
    const box = el("div", { class: "given", style: "--c:var(" + one.colour + ")" });
    box.append(el("p", {}, el("span", { class: "tag", style: "--c:var(" + one.colour + ")" }, one.tag), " ", ...grade(answer)));
    if (answer.moves.length) {
      box.append(el("p", { class: "moves" }, ...trail(answer.moves), answer.more ? " … and " + plural(answer.more, "move") + " more" : ""));
    }
    if (answer.reply !== null) {
      box.append(el("details", {}, el("summary", {}, "the reply as it came"), el("p", { class: "raw" }, text(answer.reply))));
    } else if (!answer.moves.length) box.append(el("p", { class: "moves" }, "no reply"));
    return box;
  }

  function grade(answer) {
    const verdict = verdictOf(answer), [success, reasoning, weighted] = answer.score;
    if (verdict === "ill-formed") return [el("span", { class: "bad" }, "✗ ill-formed"), el("span", { class: "meta" }, " " + answer.why)];
    const sign = { right: "✓ right", partly: "~ partly: " + success.toFixed(2), wrong: "✗ wrong" }[verdict];
    const more = [reasoning ? "reasoning right" : "reasoning wrong"];
    if (weighted !== success) more.push("weighted " + weighted.toFixed(2));
    if (answer.form === "repaired") more.push("repaired");
    if (answer.level === null) more.push("not counted: step " + answer.steps + " does not settle it");
    return [el("span", { class: { right: "good", partly: "partly", wrong: "bad" }[verdict] }, sign), el("span", { class: "meta" }, " " + more.join(" · "))];
  }

  const readBy = (question) => Math.max(...answersOf(question).map((answer) => answer.steps), 0);
  const routeOf = (question) => question.routes[readBy(question)] || Object.values(question.routes).find(Boolean) || null;

  function pick(number) {
    state.question = number; state.whole = false; state.step = null;
    const question = maze.questions[number];
    for (const other of $("asked").querySelectorAll(".ask")) other.setAttribute("aria-pressed", "false");
    const item = itemOf(number);
    if (item) { highlight($("asked"), item); item.querySelector(".ask").setAttribute("aria-pressed", "true"); }
    showStep(readBy(question));
    const told = who().filter((place) => place in question.answers)
      .map((place) => [index.runs[place].colour, question.answers[place].route]);
    mazeMap.route(routeOf(question) || [], told, question.source, question.correct);
    $("routekey").hidden = false;
    mazeMap.centre(question.source);
    showSteps();
  }

  // Steps

  function showSteps() {
    const question = state.question === null ? null : maze.questions[state.question];
    const whole = state.whole || !question;
    $("only").disabled = !question;
    select($("views"), (tab) => (tab.id === "whole") === whole);
    $("about").textContent = question ? (whole ? "All that was read; the steps that answer the question are marked." : summary(question))
      : "Choose a question to see the steps that answer it.";
    $("steps").replaceChildren(...(whole ? maze.steps.map((step) => stepItem(step, question)) : legs(question)));
    $("steps").scrollTop = 0;
    if (whole && question) bringFirst();
  }

  function summary(question) {
    const route = routeOf(question);
    if (!route) return "What was read tells no route.";
    const late = Math.max(...route.map((number) => toldAt(number, question)));
    return plural(route.length, "move") + "; settled by step " + late + ".";
  }

  const toldAt = (number, question) => {
    const [, , , , , forward, backward] = maze.edges[number], upto = readBy(question);
    return Math.min(...[forward, backward].filter((step) => mazeMap.within(step, upto)));
  };

  // Each move of the route, and the step of the walkthrough that shows it, forward or backward.
  function legs(question) {
    const upto = readBy(question);
    return (routeOf(question) || []).flatMap((number, place) => {
      const [source, action, target, takes, undoes, forward, backward] = maze.edges[number];
      const straight = mazeMap.within(forward, upto);
      const step = maze.steps.find((each) => each[0] === (straight ? takes : undoes));
      const told = straight ? forward : backward;
      const how = straight ? "step " + takes + " takes it" : "imputed: step " + undoes + " takes its reverse";
      const later = told > (straight ? takes : undoes) ? ", and by step " + told + " the text has named both places" : "";
      const head = el("li", { class: "leg" }, place + 1 + ". " + maze.places[source] + " —" + action + "→ " + maze.places[target] + " ", el("small", {}, how + later));
      return step ? [head, stepItem(step, null, straight ? "forward" : "reverse")] : [head];
    });
  }

  function stepItem([number, action, paragraphs], question, kind = "") {
    const mark = question ? marksOf(question).get(number) : kind;
    const item = el("li", { class: "step " + (mark || ""), "data-step": number, tabindex: "-1" },
      el("button", { type: "button", class: "command", onclick: () => { goTo(number).focus({ preventScroll: true }); remember(); } },
        el("span", { class: "n" }, String(number)), number ? "> " + text(action) : "(start)"));
    for (const paragraph of paragraphs) item.append(el("p", {}, text(paragraph)));
    return item;
  }

  function marksOf(question) {
    const upto = readBy(question), marks = new Map();
    for (const number of routeOf(question) || []) {
      const edge = maze.edges[number];
      if (mazeMap.within(edge[5], upto)) marks.set(edge[3], "forward");
      else if (!marks.has(edge[4])) marks.set(edge[4], "reverse");
    }
    return marks;
  }

  function bringFirst() {
    const item = $("steps").querySelector(".forward, .reverse");
    if (item) $("steps").scrollTop = item.offsetTop - $("steps").clientHeight / 4;
  }

  const stepOf = (number) => [...$("steps").children].find((each) => Number(each.dataset.step) === number);

  // A step shows the map as of that step, and the text there.
  function goTo(number) {
    if (!stepOf(number)) { state.whole = true; showSteps(); }
    const item = stepOf(number);
    if (item) {
      highlight($("steps"), item);
      $("steps").scrollTop = item.offsetTop - $("steps").clientHeight / 4;
    }
    state.step = number;
    showStep(number, true);
    mazeMap.follow();
    return item;
  }

  function remember() {
    worldquiz.remember({
      world: index.worlds[state.maze].key, step: state.step, question: state.question === null ? null : state.question + 1,
    });
  }

  function recall() {
    const parts = worldquiz.recall();
    const number = index.worlds.findIndex((one) => one.key === parts.get("world"));
    if (number < 0) return false;
    showMaze(number);
    const question = Number(parts.get("question")) - 1;
    if (question in maze.questions) {
      pick(question);
      const item = itemOf(question);
      if (item) bring(item);
    }
    if (parts.has("step")) goTo(Math.min(Number(parts.get("step")), maze.read));
    $("viewer").scrollIntoView();
    return true;
  }

  // What the list of all questions shows of a maze, and of a choice in it.
  function load(number) {
    const before = maze, told = ([source, action, target]) => [source, action, target].join(" ");
    maze = read("m" + number);
    const all = maze.questions.map((question) => ({
      text: words(question), choices: [],
      gold: question.task === "df" ? question.correct.join(" or ")
        : (routeOf(question) || []).map((edge) => maze.edges[edge][1]).join(", "),
      answers: Object.entries(question.answers).map(([run, answer]) => ({
        run: Number(run), score: answer.score[0], why: answer.form === "ill-formed" ? answer.why : answer.form === "repaired" ? "repaired" : null,
        reply: answer.reply === null ? answer.moves.map(told).join("; ") : text(answer.reply),
      })),
    }));
    maze = before;
    return all;
  }

  function show(number, question) {
    showMaze(number);
    pick(question);
    const item = itemOf(question);
    if (item) bring(item);
    $("viewer").scrollIntoView();
  }

  function start() {
    index.worlds.forEach((one, number) => $("maze").append(el("option", { value: number }, one.key)));
    $("maze").addEventListener("change", () => { showMaze(Number($("maze").value)); remember(); });
    $("previous").addEventListener("click", () => { showMaze(state.maze - 1); remember(); });
    $("next").addEventListener("click", () => { showMaze(state.maze + 1); remember(); });
    $("upto").addEventListener("input", () => { goTo(Number($("upto").value)); remember(); });
    $("fit").addEventListener("click", () => {
      const on = $("map").classList.toggle("fit");
      $("fit").setAttribute("aria-pressed", String(on));
    });
    $("map").addEventListener("click", mazeMap.onClick);
    for (const id of ["task", "level", "verdict", "contestant"]) {
      $(id)?.addEventListener("change", () => { showQuestions(); if (state.question !== null) pick(state.question); });
    }
    $("only").addEventListener("click", () => { state.whole = false; showSteps(); });
    $("whole").addEventListener("click", () => { state.whole = true; showSteps(); });
    arrows($("views"), ["ArrowLeft", "ArrowRight"], () => [...$("views").children]);
    arrows($("asked"), ["ArrowUp", "ArrowDown"], () => [...$("asked").querySelectorAll(".ask")]);
    arrows($("steps"), ["ArrowUp", "ArrowDown"], () => [...$("steps").querySelectorAll(".command")]);
    window.addEventListener("hashchange", recall);
    $("viewer").hidden = false;
    if (!recall()) showMaze(0);
  }

  if (index.worlds.length) { start(); worldquiz.list(load, show); }
})();
