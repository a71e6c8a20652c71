(() => {
  const { $, read, el } = worldquiz;
  const { questions, runs } = read("data");
  const form = $("filters"), body = $("table").tBodies[0], page = 100, long = 120;
  let shown = page;

  // ---- Questions: each has an address of its own, #benchmark/world/type/question ----------------

  for (const question of questions) {
    question.address = question.key.map(encodeURIComponent).join("/");
    const replies = question.answers.map((answer) => answer.reply);
    question.words = [...question.key, question.text, question.gold, ...question.choices, ...replies].join(" ").toLowerCase();
  }

  const grades = (question) => question.answers.map((answer) => answer.score).filter((score) => score !== null);
  const shows = {
    "": () => true,
    wrong: (question) => grades(question).some((score) => score < 1),
    "all-wrong": (question) => grades(question).length > 0 && grades(question).every((score) => score < 1),
    differ: (question) => new Set(grades(question)).size > 1,
    answerable: (question) => question.answers.some((answer) => answer.answerable),
    "not-answerable": (question) => question.answers.some((answer) => !answer.answerable),
  };

  function wanted(question) {
    const { benchmark, type, status, which, words } = Object.fromEntries(new FormData(form));
    return (!benchmark || question.key[0] === benchmark)
      && (!type || question.type === type)
      && (!status || question.answers.some((answer) => answer.status === status))
      && shows[which](question)
      && words.toLowerCase().split(/\s+/).every((word) => question.words.includes(word));
  }

  function reply(text) {
    if (text.length <= long) return el("span", { class: "reply" }, text);
    return el("details", {}, el("summary", {}, `${text.slice(0, long)}…`), el("span", { class: "reply" }, text));
  }

  // What the trajectory could have shown differs between runs only where agents acted differently.
  const shared = (question) => new Set(question.answers.map((answer) => answer.answerable)).size === 1;

  function cell(answer, run, mixed) {
    if (!answer) return el("td", { class: "none", "data-label": runs[run] }, "–");
    const { score } = answer;
    const grade = score === 1 ? "good" : score === 0 ? "bad" : "";
    const notes = [mixed && !answer.answerable ? "not answerable" : null, answer.status === "answered" ? null : answer.status, answer.why].filter(Boolean);
    return el("td", { "data-label": runs[run] },
      el("b", { class: grade }, score === null ? "not graded" : score.toFixed(2)), " ", answer.reply ? reply(answer.reply) : null,
      notes.length ? el("small", {}, notes.join(" · ")) : null);
  }

  function line(question) {
    const mixed = !shared(question);
    const cells = runs.map((_, run) => cell(question.answers.find((each) => each.run === run), run, mixed));
    const hidden = !mixed && !question.answers[0].answerable ? el("small", {}, "not answerable") : null;
    const choices = question.choices.length ? el("span", { class: "choices" }, question.choices.join(" · ")) : null;
    const link = el("a", { class: "link", href: `#${question.address}`, "aria-label": `Link to this question of ${question.world}` }, "#");
    return el("tr", { id: question.address }, el("th", { scope: "row" }, link, ` ${question.world}`),
      el("td", { class: "question" }, question.text, choices, el("span", { class: "kind" }, question.type)),
      el("td", { "data-label": "true answer" }, question.gold, hidden), ...cells);
  }

  function draw() {
    const found = questions.filter(wanted);
    body.replaceChildren(...found.slice(0, shown).map(line));
    $("count").textContent = found.length ? `${Math.min(shown, found.length)} of ${found.length} questions shown` : "No question is like this";
    $("more").hidden = shown >= found.length;
    return found;
  }

  // A link leads to its question whatever the filters hide.
  function follow() {
    const address = location.hash.slice(1);
    const question = questions.find((each) => each.address === address);
    if (!question) return;
    if (!wanted(question)) form.reset();
    shown = Math.max(shown, questions.filter(wanted).indexOf(question) + 1);
    draw();
    const row = document.getElementById(address);
    row.classList.add("hit");
    row.scrollIntoView({ block: "center", behavior: "instant" });
  }

  const again = () => { shown = page; draw(); };
  form.addEventListener("input", again);
  form.addEventListener("submit", (event) => event.preventDefault());
  $("more").addEventListener("click", () => { shown += page; draw(); });
  addEventListener("hashchange", follow);

  draw();
  follow();
})();
