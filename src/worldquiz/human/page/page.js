// The way through a quiz: welcome, reading, questions, handing in. What is asked comes from the
// server one question at a time; answers go there at once, with the time that they took.
// Text is only ever set as text.

const $ = (selector, at = document) => at.querySelector(selector);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const key = (name) => make("kbd", {}, name);
const button = (words, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, ...[words].flat());
const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const main = $("#main");
let state = null;
let screen = {};
let busy = false;

async function ask(address, told) {
  const options = told && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told) };
  let response;
  try {
    response = await fetch(told ? `do/${address}` : `get/${address}`, options);
  } catch {
    throw new Error("The page's program has stopped. Your answers are kept: give the same command again, and open the address that it tells.");
  }
  const found = await response.json();
  if (!response.ok) throw new Error(found.wrong ?? "This did not work.");
  return found;
}

/** Return what does something that takes a moment, once at a time, and says what is wrong with it. */
const once = (work) => async () => {
  if (busy) return;
  busy = true;
  try {
    await work();
  } catch (error) {
    note(error.message);
  } finally {
    busy = false;
  }
};

function note(words) {
  const here = $("#note");
  here.textContent = words ?? "";
  here.hidden = !words;
}

// Time: only while the page can be seen.
const clock = {
  spent: 0, since: null,
  look() {
    if (this.since != null) this.spent += performance.now() - this.since;
    this.since = document.hidden ? null : performance.now();
    return this.spent / 1000;
  },
};
document.addEventListener("visibilitychange", () => clock.look());

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter") {
    if (event.target.closest("button") && !event.shiftKey && !event.ctrlKey) return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.shiftKey) screen.back?.();
    else if (event.ctrlKey || event.metaKey) screen.pass?.(true);
    else screen.enter?.();
  } else if (/^\d$/.test(event.key) && !event.target.matches("#answer") && !event.ctrlKey && !event.altKey && !event.metaKey) {
    if (event.key === "0") screen.pass?.(false);
    else screen.digit?.(Number(event.key));
  }
});

const count = () => state.answered.filter(Boolean).length;

function show(next, ...children) {
  screen = next;
  note(null);
  main.replaceChildren(...children);
  main.className = next.name ?? "letter";
  scrollTo(0, 0);
  const [done, all] = [count(), state.answered.length];
  $("#title").textContent = state.title;
  $("#count").textContent = `${done} of ${all} answered, ${all - done} left`;
  (next.focus ?? (() => main.focus({ preventScroll: true })))();
}

/** Go to the first question that is not answered, or to the end. */
function onward(from = 0) {
  const rest = state.answered.findIndex((done, place) => place >= from && !done);
  const next = rest >= 0 ? rest : state.answered.indexOf(false);
  return next < 0 ? review() : enter(next);
}

const readings = new Map();

/** Go to a question, by way of what is to be read first. */
async function enter(number) {
  const place = state.parts.findIndex((each) => number < each.first + each.size);
  const part = state.parts[place];
  const known = readings.has(place);
  if (!known) readings.set(place, await ask(`part/${place}`));
  const text = readings.get(place);
  const begun = state.answered.slice(part.first, part.first + part.size).some(Boolean);
  return !text || known || begun ? question(number, part, text) : study(part, text, number);
}

function welcome() {
  const [done, all] = [count(), state.answered.length];
  const go = once(() => onward());
  const begin = button([done ? "Go on " : "Begin ", key("Enter")], go, { class: "main" });
  const parts = state.parts.map((part) => make("li", {}, part.name, make("span", { class: "soft" }, ` ${many(part.size, "question")}`)));
  show({ enter: go, focus: () => begin.focus() },
    make("h1", {}, done ? `Welcome back: ${done} of ${many(all, "question")} are answered` : `${many(all, "question")} for you`),
    ...(done ? [] : state.about.map((words) => make("p", { class: "lead" }, words))),
    make("ul", { class: "contents" }, ...parts),
    make("p", {}, "There is no hurry. Only the time in which you look at a question is counted. Each answer is kept at once, so you may stop whenever you like and go on later; you may also go back and change an answer until you hand all of them in."),
    make("p", { class: "keys soft" }, key("1"), "–", key("9"), " choose, ", key("0"), " or ", key("Ctrl"), " ", key("Enter"),
      ` “${state.passing}”, `, key("Enter"), " goes on, ", key("Shift"), " ", key("Enter"), " goes back."),
    make("p", {}, begin));
}

/** Return a text: paragraphs, with "# " before a heading and "> " before what somebody did. */
const paragraphs = (text) => text.split(/\n{2,}/).filter((words) => words.trim()).map((words) =>
  words.startsWith("# ") ? make("h2", {}, words.slice(2)) : make("p", { class: words.startsWith("> ") ? "act" : "says" }, words));

function study(part, text, next) {
  const go = once(() => question(next, part, text));
  show({ enter: go },
    make("h1", {}, `Read first: ${part.name}`),
    make("p", { class: "lead" }, "Take the time that you like. The text stays beside the questions, so you need not learn it by heart."),
    make("div", { class: "text" }, ...paragraphs(text)),
    make("p", { class: "foot" }, button(["To the questions ", key("Enter")], go, { class: "main" })));
}

async function question(number, part, text) {
  const shown = await ask(`item/${number}`);
  const [wide, high] = shown.view ?? [1, 1];
  const layer = draw("svg", { class: "layer", viewBox: `0 0 ${wide} ${high}` });
  const pictures = Array.from({ length: shown.pictures }, (_, place) => {
    const whole = place === 0 && shown.view;
    const image = make("img", { src: `get/picture/${number}/${place}`, alt: `picture ${place + 1}`, draggable: "false" });
    return make("figure", { class: whole ? "whole" : shown.view ? "cut" : "cut alone" },
      make("div", { class: "canvas" }, image, whole ? layer : null),
      shown.pictures > 1 ? make("figcaption", {}, `picture ${place + 1}`) : null);
  });
  await Promise.all(pictures.map((each) => $("img", each).decode().catch(() => {})));
  let passed = shown.answered && shown.said == null;
  const press = (on) => { passed = on; passing.setAttribute("aria-pressed", String(on)); note(null); };
  const answer = (shown.choices.length ? choice : words)(shown, () => press(false), layer);
  const pass = (go) => {
    press(!passed || go);
    if (passed) answer.clear();
    if (go) send();
  };
  const passing = button([state.passing, " ", key(shown.choices.length ? "0" : "Ctrl ⏎")], () => pass(false),
    { class: "pass", "aria-pressed": String(passed) });
  const send = once(async () => {
    await ask("answer", { place: number, said: passed ? null : answer.said(), seconds: clock.look() });
    state.answered[number] = true;
    const again = shown.answered && number + 1 < state.answered.length;
    await (again ? enter(number + 1) : onward(number + 1));
  });
  const back = once(async () => { if (number > 0) await enter(number - 1); });
  const card = make("section", { class: "card" },
    make("p", { class: "where" }, `${part.name} · ${number - part.first + 1} of ${part.size}`),
    make("h1", { tabindex: "-1" }, shown.words),
    pictures.length > 1 ? make("div", { class: "cuts" }, ...pictures.slice(1)) : null,
    answer.element,
    make("div", { class: "buttons" },
      button(["Next ", key("Enter")], send, { class: "main" }),
      passing,
      number > 0 ? button(["Back ", key("Shift ⏎")], back, { class: "quiet" }) : null));
  const read = text ? make("div", { class: "text", tabindex: "0", "aria-label": "What was read" }, ...paragraphs(text)) : null;
  const scrolled = $(".text", main)?.scrollTop ?? 0;
  clock.look();
  clock.spent = 0;
  show({
    name: read ? "beside reads" : pictures.length ? "beside seen" : "letter",
    enter: send, back, pass, digit: answer.digit,
    focus: () => { $("h1", card).focus({ preventScroll: true }); answer.focus(); },
  }, ...[read ?? pictures[0], card].filter(Boolean));
  if (read) read.scrollTop = scrolled;
}

// ---- Ways to answer: `said()` gives the answer or throws what is missing -------------------------

const missing = (words) => { throw new Error(words); };

function choice(shown, changed) {
  const inputs = shown.choices.map((value) =>
    make("input", { type: "radio", name: "choice", value, checked: value === shown.said, onchange: changed }));
  const labels = inputs.map((input, place) =>
    make("label", { class: "option" }, input, key(String(place + 1)), make("span", {}, shown.choices[place])));
  const chosen = () => inputs.find((each) => each.checked);
  return {
    element: make("fieldset", { class: inputs.length > 5 ? "options many" : "options" },
      make("legend", { class: "hidden" }, "Answers"), ...labels),
    said: () => chosen()?.value ?? missing("Choose an answer first."),
    digit: (n) => { inputs[n - 1]?.click(); inputs[n - 1]?.focus(); },
    clear: () => inputs.forEach((each) => { each.checked = false; }),
    focus: () => chosen()?.focus(),
  };
}

/** An answer in words; where these are the numbers of a box, it is drawn over the picture. */
function words(shown, changed, layer) {
  const path = draw("path", { class: "drawn" });
  const trace = () => {
    const numbers = (input.value.match(/-?\d+(?:[.,]\d+)?/g) ?? []).map((each) => Number(each.replace(",", ".")));
    path.setAttribute("d", shown.draw === "box" ? box(numbers) : shown.draw ? solid(numbers, shown.view) : "");
  };
  const edit = () => { trace(); changed(); };
  const more = { id: "answer", maxlength: shown.longest, oninput: edit, autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
  const input = shown.longest > 500 ? make("textarea", { ...more, rows: 4 }) : make("input", { ...more, type: "text" });
  input.value = shown.said ?? "";
  trace();
  layer.append(path);
  if (shown.draw === "box") drags(layer, (sides) => { input.value = sides.join(" "); edit(); });
  return {
    element: make("p", { class: "field" }, make("label", { for: "answer" }, `Your answer: ${shown.hint}`), input),
    said: () => input.value.trim() || missing("Write an answer first."),
    clear: () => { input.value = ""; path.setAttribute("d", ""); },
    focus: () => input.focus({ preventScroll: true }),
  };
}

const box = ([x0, y0, x1, y1]) => (y1 == null ? "" : `M${x0} ${y0}H${x1}V${y1}H${x0}Z`);

/** Return the edges of a box in space as a picture shows them, "" where they cannot be drawn. */
function solid([x, y, z, wide, high, deep], [width, height, degrees]) {
  if (deep == null || z - deep / 2 < 0.02) return "";
  const focal = height / 2 / Math.tan((degrees * Math.PI) / 360);
  const spot = (corner) => {
    const [i, j, k] = [1, 2, 4].map((bit) => (corner & bit ? 0.5 : -0.5));
    const far = z + k * deep;
    return `${width / 2 + (focal * (x + i * wide)) / far} ${height / 2 + (focal * (y + j * high)) / far}`;
  };
  const pairs = [...Array(8).keys()].flatMap((corner) => [1, 2, 4].filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit]));
  return pairs.map(([a, b]) => `M${spot(a)}L${spot(b)}`).join("");
}

/** Draw a box with mouse, pen or finger: `set` is told its sides. */
function drags(layer, set) {
  const view = layer.viewBox.baseVal;
  const at = (event) => {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    return [[spot.x, view.width], [spot.y, view.height]].map(([value, most]) => Math.round(Math.min(Math.max(value, 0), most)));
  };
  let from = null;
  layer.classList.add("draws");
  layer.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    from = at(event);
    layer.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  layer.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [[x0, y0], [x1, y1]] = [from, at(event)];
    set([Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]);
  });
  for (const end of ["pointerup", "pointercancel"]) layer.addEventListener(end, () => { from = null; });
}

function review() {
  const hand = once(async () => thanks(await ask("finish", {})));
  const back = once(() => enter(state.answered.length - 1));
  const go = button(["Hand in ", key("Enter")], hand, { class: "main" });
  show({ enter: hand, back, focus: () => go.focus() },
    make("h1", {}, "All questions are answered"),
    make("p", { class: "lead" }, "Hand them in, or go back to some first. After that nothing can be changed."),
    make("p", {}, go, " ", button(["Back ", key("Shift ⏎")], back, { class: "quiet" })));
}

function thanks({ headline }) {
  show({},
    make("h1", {}, "Thank you"),
    make("p", { class: "lead" }, "Everything is handed in and kept. You can close this page."),
    make("table", {}, make("caption", {}, "What your answers were worth, 0 to 1"),
      make("tbody", {}, ...headline.map(([name, value]) =>
        make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value))))));
}

once(async () => {
  state = await ask("state");
  document.title = `${state.title}: worldquiz`;
  welcome();
})();
