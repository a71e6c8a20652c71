// The way through a quiz: welcome, reading, questions, handing in. What is asked comes from the
// server one question at a time; answers go there at once, and so does the time that they take.

import { form } from "./answers.js";
import { $, button, draw, key, make, many, minutes, typing } from "./dom.js";

const main = $("#main");
let state = null;
let screen = { enter() {}, back() {}, key() {} };
let busy = false;

// ---- Talking to the server ----------------------------------------------------------------------

async function ask(address, told) {
  const options = told && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told), keepalive: true,
  };
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

/** Do something that takes a moment, once at a time; say what is wrong with it. */
async function once(work) {
  if (busy) return;
  busy = true;
  try {
    await work();
  } catch (error) {
    note(error.message);
  } finally {
    busy = false;
  }
}

function note(words) {
  const here = $("#note");
  here.textContent = words ?? "";
  here.hidden = !words;
}

// ---- Time: only what is looked at counts -----------------------------------------------------------

const clock = {
  where: null, place: 0, before: 0, total: 0, since: null, paused: false,
  start(where, place, before = 0) {
    this.send();
    Object.assign(this, { where, place, before, total: 0 });
    this.run();
  },
  stop() { this.send(); this.where = null; this.tick(); },
  run() { this.since = this.where && !this.paused && !document.hidden ? performance.now() : null; },
  take() {
    if (this.since == null) return 0;
    const now = performance.now();
    const spent = (now - this.since) / 1000;
    this.since = now;
    this.total += spent;
    return Math.round(spent * 100) / 100;
  },
  send() {
    const { where, place } = this;
    const seconds = this.take();
    this.since = null;
    if (where && seconds > 0) ask("time", { where, place, seconds }).catch(() => {});
  },
  tick() {
    const running = this.since == null ? 0 : (performance.now() - this.since) / 1000;
    $("#time").textContent = this.where ? minutes(this.before + this.total + running) : "";
    if (running > 5) { this.send(); this.run(); }
  },
};
setInterval(() => clock.tick(), 500);
document.addEventListener("visibilitychange", () => (document.hidden ? clock.send() : clock.run()));
addEventListener("pagehide", () => clock.send());

function pause(on) {
  if (on === clock.paused || (on && !clock.where)) return;
  if (on) clock.send();
  clock.paused = on;
  $("#rest").hidden = !on;
  $("#main").inert = $("#top").inert = on;
  if (on) return $("#resume").focus();
  clock.run();
  screen.focus?.();
}
$("#pause").addEventListener("click", () => pause(true));
$("#resume").addEventListener("click", () => pause(false));

// ---- Keys ------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return pause(!clock.paused);
  if (clock.paused || event.isComposing) return;
  const there = event.target;
  if (event.key === "Enter") {
    if (there.closest("button, summary, a") && !event.shiftKey && !event.ctrlKey) return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.shiftKey) screen.back?.();
    else if (event.ctrlKey || event.metaKey) screen.pass?.(true);
    else screen.enter?.(event);
  } else screen.key?.(event);
});

// ---- Around the questions ------------------------------------------------------------------------------

const count = () => state.answered.filter(Boolean).length;

function frame() {
  const [done, all] = [count(), state.answered.length];
  $("#title").textContent = state.title;
  $("#count").textContent = `${done} of ${all} answered, ${all - done} left`;
  const bar = $("#bar");
  bar.setAttribute("aria-valuemax", all);
  bar.setAttribute("aria-valuenow", done);
  bar.firstElementChild.style.setProperty("inline-size", `${(100 * done) / all}%`);
  $("#pause").hidden = !clock.where;
}

function show(next, ...children) {
  screen = next;
  note(null);
  main.replaceChildren(...children);
  main.className = next.name ?? "";
  scrollTo(0, 0);
  frame();
  clock.tick();
  (next.focus ?? (() => main.focus({ preventScroll: true })))();
}

const partOf = (number) => state.parts.findIndex((part) => number >= part.first && number < part.first + part.size);

/** Go to the first question that is not answered, or to the end. */
function onward(from = 0) {
  const rest = state.answered.findIndex((done, place) => place >= from && !done);
  const next = rest >= 0 ? rest : state.answered.indexOf(false);
  return next < 0 ? review() : enter(next);
}

function enter(number) {
  const part = partOf(number);
  return state.parts[part].reads && !state.read[part] ? study(part, number) : question(number);
}

// ---- Screens -----------------------------------------------------------------------------------------

function welcome() {
  const done = count();
  const all = state.answered.length;
  const parts = state.parts.map((part) => make("li", {}, part.name, make("span", { class: "soft" }, ` ${many(part.size, "question")}`)));
  const begin = button([done ? "Go on " : "Begin ", key("Enter")], () => once(() => onward()), { class: "main" });
  show({ name: "letter", enter: () => once(() => onward()), focus: () => begin.focus() },
    make("h1", {}, done ? `Welcome back: ${done} of ${many(all, "question")} are answered` : `${many(all, "question")} for you`),
    ...(done ? [] : state.about.map((words) => make("p", { class: "lead" }, words))),
    make("ul", { class: "contents" }, ...parts),
    make("p", {}, "There is no hurry. Only the time in which you look at a question is counted. Each answer is kept at once, so you may stop whenever you like and go on later; you may also go back and change an answer until you hand all of them in."),
    make("dl", { class: "legend" },
      make("div", {}, make("dt", {}, key("1"), "–", key("9")), make("dd", {}, "choose an answer")),
      make("div", {}, make("dt", {}, key("0"), " or ", key("Ctrl"), " ", key("Enter")), make("dd", {}, `“${state.passing}”`)),
      make("div", {}, make("dt", {}, key("Enter")), make("dd", {}, "go on")),
      make("div", {}, make("dt", {}, key("Shift"), " ", key("Enter")), make("dd", {}, "go back")),
      make("div", {}, make("dt", {}, key("Esc")), make("dd", {}, "pause"))),
    make("p", {}, begin));
}

const texts = new Map();

async function readings(part) {
  if (!state.parts[part].reads) return null;
  if (!texts.has(part)) texts.set(part, await ask(`part/${part}`));
  return texts.get(part);
}

function step(told) {
  return make("li", { value: told.number },
    told.act == null ? null : make("p", { class: "act" }, `> ${told.act}`),
    ...told.text.split(/\n{2,}/).map((words) => make("p", { class: "says" }, words)),
    told.more ? make("p", { class: "more" }, told.more) : null);
}

function pages(told) {
  const chapters = told.chapters.map((chapter) => make("section", {},
    make("h3", {}, chapter.title), chapter.note ? make("p", { class: "soft" }, chapter.note) : null,
    make("ol", { class: "steps", start: 0 }, ...chapter.steps.map(step))));
  const lists = [["Moves", told.moves], ["Places", told.places], ["What holds in every world", told.laws]]
    .filter(([, words]) => words?.length)
    .map(([name, words]) => make("details", {}, make("summary", {}, name), make("ul", {}, ...words.map((each) => make("li", {}, each)))));
  return [...lists, ...chapters];
}

async function study(part, next) {
  const told = await readings(part);
  const go = () => once(async () => {
    state.read[part] = true;
    await question(next);
  });
  show({ name: "letter", enter: go, focus: () => main.focus({ preventScroll: true }) },
    make("h1", {}, `Read first: ${state.parts[part].name}`),
    make("p", { class: "lead" }, "Take the time that you like. The text stays beside the questions, so you need not learn it by heart."),
    make("div", { class: "text" }, ...pages(told)),
    make("p", { class: "foot" }, button(["To the questions ", key("Enter")], go, { class: "main" })));
  clock.start("read", part);
  frame();
}

/** Return the pictures of a question, and what can be drawn on over the first. */
function figures(shown, number) {
  const layer = draw("svg", { class: "layer", viewBox: `0 0 ${shown.width ?? 1} ${shown.height ?? 1}` });
  const all = Array.from({ length: shown.pictures ?? 0 }, (_, place) => {
    const image = make("img", { src: `get/picture/${number}/${place}`, alt: `picture ${place + 1}`, draggable: "false" });
    const whole = place === 0 && shown.whole;
    return make("figure", { class: whole ? "whole" : shown.whole ? "cut" : "cut alone" },
      make("div", { class: "canvas" }, image, whole ? layer : null),
      shown.pictures > 1 ? make("figcaption", {}, `picture ${place + 1}`) : null);
  });
  return { layer, all };
}

async function question(number) {
  const [shown, told] = await Promise.all([ask(`item/${number}`), readings(partOf(number))]);
  const { layer, all } = figures(shown, number);
  await Promise.all(all.map((each) => $("img", each).decode().catch(() => {})));
  const part = state.parts[partOf(number)];
  let passed = shown.answered && shown.said == null;
  const passing = button([state.passing, " ", key(typed(shown) ? "Ctrl ⏎" : "0")], () => pass(false),
    { class: "pass", "aria-pressed": String(passed) });
  const changed = () => { if (passed) press(false); note(null); };
  const answers = form({ ...shown, lists: told }, shown.said, changed, layer);
  const press = (on) => { passed = on; passing.setAttribute("aria-pressed", String(on)); };
  const pass = (go) => {
    press(!passed || go);
    if (passed) answers.clear();
    note(null);
    if (go) send();
  };
  const send = () => once(async () => {
    const said = passed ? null : answers.said();
    await ask("answer", { place: number, said, seconds: clock.take() });
    state.answered[number] = true;
    const again = shown.answered && number + 1 < state.answered.length;
    await (again ? enter(number + 1) : onward(number + 1));
  });
  const back = () => once(async () => {
    if (number > 0) await question(number - 1);
  });
  const card = make("section", { class: "card" },
    make("p", { class: "where" }, `${part.name} · ${number - part.first + 1} of ${part.size}`),
    make("h1", { tabindex: "-1" }, shown.words),
    all.length > 1 ? make("div", { class: "cuts" }, ...all.slice(1)) : null,
    answers.element,
    make("div", { class: "buttons" },
      button(["Next ", key("Enter")], send, { class: "main" }),
      passing,
      number > 0 ? button(["Back ", key("Shift ⏎")], back, { class: "quiet" }) : null));
  const beside = told ? make("div", { class: "text", tabindex: "0", "aria-label": "What was read" }, ...pages(told)) : all.length
    ? all[0] : null;
  const next = {
    name: beside ? (told ? "beside reads" : "beside seen") : "letter",
    enter: (event) => { if (!answers.enter?.(event)) send(); },
    back, pass,
    key: (event) => {
      if (answers.arrow?.(event)) return event.preventDefault();
      if (typing(event.target) || event.ctrlKey || event.altKey || event.metaKey || !/^\d$/.test(event.key)) return;
      event.preventDefault();
      if (event.key === "0") pass(false);
      else answers.digit?.(Number(event.key));
    },
    focus: () => { $("h1", card).focus({ preventScroll: true }); answers.focus(); },
  };
  const scrolled = $(".text", main)?.scrollTop ?? 0;
  clock.start("item", number, shown.seconds);
  show(next, ...[beside, card].filter(Boolean));
  if (told) $(".text", main).scrollTop = scrolled;
}

const typed = (shown) => ["text", "number", "solid", "route"].includes(shown.form);

function review() {
  clock.stop();
  const hand = () => once(async () => {
    const { headline } = await ask("finish", { place: 0 });
    state.finished = true;
    thanks(headline);
  });
  const rows = state.parts.map((part) => make("li", {}, part.name, " ",
    make("span", { class: "soft" }, many(part.size, "question")), " ",
    button("look again", () => once(() => question(part.first)), { class: "quiet" })));
  const last = state.answered.length - 1;
  show({ name: "letter", enter: hand, back: () => once(() => question(last)), focus: () => $("button.main", main).focus() },
    make("h1", {}, "All questions are answered"),
    make("p", { class: "lead" }, "Hand them in, or look at some again first. After that nothing can be changed."),
    make("ul", { class: "contents" }, ...rows),
    make("p", {}, button(["Hand in ", key("Enter")], hand, { class: "main" }), " ",
      button(["Back ", key("Shift ⏎")], () => once(() => question(last)), { class: "quiet" })));
}

function thanks(headline) {
  show({ name: "letter" },
    make("h1", {}, "Thank you"),
    make("p", { class: "lead" }, "Everything is handed in and kept. You can close this page."),
    make("table", {}, make("caption", {}, state.caption),
      make("tbody", {}, ...headline.map(([words, value]) =>
        make("tr", {}, make("th", { scope: "row" }, words), make("td", {}, value))))));
}

once(async () => {
  state = await ask("state");
  document.title = `${state.title}: worldquiz`;
  welcome();
});
