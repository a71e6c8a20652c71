(() => {
  const { $, read, el } = worldquiz;
  const all = read("data"), runs = read("runs"), form = $("filters"), page = 100;
  const body = $("table").tBodies[0];
  let shown = page;

  function wanted(question) {
    const { type, status, which } = Object.fromEntries(new FormData(form));
    const scores = question.answers.map((answer) => answer.score).filter((score) => score !== null);
    if (type && question.type !== type) return false;
    if (status && !question.answers.some((answer) => answer.status === status)) return false;
    if (which === "wrong") return scores.some((score) => score < 1);
    if (which === "differ") return new Set(scores).size > 1;
    return true;
  }

  function line(question) {
    const cells = Array.from({ length: runs }, (_, run) => {
      const answer = question.answers.find((each) => each.run === run);
      if (!answer) return el("td", {}, "–");
      const score = answer.score === null ? "–" : answer.score.toFixed(2);
      return el("td", {}, el("b", {}, score), " ", answer.reply || answer.status,
        answer.answerable ? null : el("small", {}, "not answerable"));
    });
    const choices = question.choices.length ? el("small", {}, question.choices.join(" · ")) : null;
    return el("tr", {}, el("th", { scope: "row" }, question.world),
      el("td", {}, question.text, choices, el("small", {}, question.type)), el("td", {}, question.gold), ...cells);
  }

  function draw() {
    const found = all.filter(wanted);
    body.replaceChildren(...found.slice(0, shown).map(line));
    $("count").textContent = `${Math.min(shown, found.length)} of ${found.length} questions`;
    $("more").hidden = shown >= found.length;
  }

  form.addEventListener("change", () => { shown = page; draw(); });
  $("more").addEventListener("click", () => { shown += page; draw(); });
  draw();
})();
