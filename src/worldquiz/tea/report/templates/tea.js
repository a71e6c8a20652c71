// One task: its words and answers, what was seen, and where in the scene that was, beside each other.
(() => {
  const { $, el, read, recall, remember } = worldquiz;
  const { runs, worlds } = read("index");
  const SVG = "http://www.w3.org/2000/svg";
  const state = { place: null, number: 0 };
  let scene = null, asked = null; // the blocks of the scene on show

  function drawn(box, inner, options) {
    const node = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({ viewBox: box, ...options })) node.setAttribute(name, value);
    node.innerHTML = inner; // our own drawing; its texts were escaped when it was made
    return node;
  }

  function show(place, number) {
    if (place !== state.place) { scene = read("v" + place); asked = read("q" + place); }
    Object.assign(state, { place, number });
    const task = scene.tasks[number], question = asked[number];
    $("which").textContent = "Task " + (number + 1) + " of " + asked.length + " in " + worlds[place].key;
    $("before").disabled = number === 0;
    $("after").disabled = number === asked.length - 1;
    $("words").replaceChildren(...words(question));
    $("seen").replaceChildren(...seen(task));
    $("plan").replaceChildren(...plan(task));
    $("viewer").hidden = false;
  }

  function words(question) {
    const lines = [el("p", { class: "meta" }, question.type), el("p", { class: "ask" }, question.text)];
    if (question.choices.length) lines.push(el("p", { class: "meta" }, question.choices.join(" · ")));
    lines.push(el("p", { class: "meta" }, "true: ", el("b", { class: "good" }, question.gold)));
    const said = question.answers.map(({ run, reply, score }) => el("li", {},
      el("span", { class: "tag", style: "--c:var(" + runs[run].colour + ")" }, runs[run].tag), " ",
      el("span", { class: "words" }, reply), " ",
      el("b", { class: score === 1 ? "good" : score ? "part" : "bad" }, score === null ? "not graded" : score.toFixed(2))));
    return [...lines, el("ul", { class: "said" }, ...said)];
  }

  function seen(task) {
    const parts = [], lacking = new Set();
    const picture = (view) => scene.pictures[view] || (lacking.add(view), null);
    if (task.whole && scene.views[task.view]) {
      const [width, height] = scene.views[task.view], uri = picture(task.view);
      if (uri) {
        parts.push(el("div", { class: "picture" }, el("img", { src: uri, width, height, alt: "What was seen: view " + task.view }),
          drawn("0 0 " + width + " " + height, task.lines, { "aria-hidden": "true" })));
      }
    }
    const cuts = task.cuts.map(([view, [x0, y0, x1, y1]], place) => {
      const uri = picture(view), [width, height] = scene.views[view] || [0, 0];
      if (!uri) return null;
      const cut = drawn([x0, y0, x1 - x0, y1 - y0].join(" "), "", { class: "cut", role: "img", "aria-label": "Picture " + (place + 1 + Number(task.whole)) + " of the task" });
      const image = document.createElementNS(SVG, "image");
      for (const [name, value] of Object.entries({ href: uri, width, height })) image.setAttribute(name, value);
      cut.append(image);
      return el("figure", {}, cut, el("figcaption", {}, "picture " + (place + 1 + Number(task.whole))));
    }).filter(Boolean);
    if (cuts.length) parts.push(el("div", { class: "cuts" }, ...cuts));
    if (lacking.size) parts.push(el("p", { class: "soft" }, "The page has no room for the picture of " + [...lacking].join(", ") + ". "));
    if (!Object.keys(scene.views).length) parts.push(el("p", { class: "soft" }, "No pictures: the folder of tasks is not known."));
    return parts;
  }

  function plan(task) {
    if (!scene.box) return [el("p", { class: "soft" }, "No plan: the folder of tasks is not known.")];
    const things = task.walks ? [] : task.things.filter((each) => each in scene.things).map((each) => scene.things[each]);
    const looking = !task.walks && scene.views[task.view] ? scene.views[task.view][2] : "";
    const about = things.map(([label]) => label).join(", ");
    const label = "Plan of " + worlds[state.place].key + (about ? ", with " + about : "");
    return [
      drawn(scene.box, scene.flat + looking + things.map(([, ring]) => ring).join("") + task.walks, { class: "plan", role: "img", "aria-label": label, style: "--k:" + scene.scale }),
      el("p", { class: "meta" }, task.walks ? "Where each walk went; the goal is ringed."
        : "Where the camera stood and what lay before it" + (looking.includes("person") ? ", and the person (a dot, with a line where they look)" : "") + (about ? "; ringed: " + about : "") + "."),
    ];
  }

  function go(number) {
    show(state.place, number);
    remember({ world: worlds[state.place].key, question: number + 1 });
  }

  function follow() {
    const told = recall(), place = worlds.findIndex((world) => world.key === told.get("world"));
    const number = Number(told.get("question")) - 1;
    if (place < 0 || !(number in worlds[place].types)) return false;
    show(place, number);
    $("viewer").scrollIntoView();
    return true;
  }

  $("before").addEventListener("click", () => go(state.number - 1));
  $("after").addEventListener("click", () => go(state.number + 1));
  addEventListener("hashchange", follow);
  if (worlds.length) {
    worldquiz.list(undefined, (place, number) => { show(place, number); $("viewer").scrollIntoView({ block: "nearest" }); });
    if (!follow()) show(0, 0);
  }
})();
