// The way through a quiz: welcome, reading, questions, handing in. What is asked comes from the
// server one question at a time; answers go there at once, with the time that they took.

import { form } from "./answers.js";
import { $, button, draw, key, make, many } from "./dom.js";

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

const typing = (element) => element.matches("input[type=text], textarea");

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter") {
    if (event.target.closest("button") && !event.shiftKey && !event.ctrlKey) return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.shiftKey) screen.back?.();
    else if (event.ctrlKey || event.metaKey) screen.pass?.(true);
    else screen.enter?.();
  } else if (/^\d$/.test(event.key) && !typing(event.target) && !event.ctrlKey && !event.altKey && !event.metaKey) {
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

const partOf = (number) => state.parts.findIndex((part) => number >= part.first && number < part.first + part.size);

/** Go to the first question that is not answered, or to the end. */
function onward(from = 0) {
  const rest = state.answered.findIndex((done, place) => place >= from && !done);
  const next = rest >= 0 ? rest : state.answered.indexOf(false);
  return next < 0 ? review() : enter(next);
}

const readings = new Map();

/** Go to a question, by way of what is to be read first. */
async function enter(number) {
  const part = partOf(number);
  const { reads, first, size } = state.parts[part];
  if (!reads || readings.has(part)) return question(number);
  readings.set(part, await ask(`part/${part}`));
  return state.answered.slice(first, first + size).some(Boolean) ? question(number) : study(part, number);
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

function study(part, next) {
  const go = once(() => question(next));
  show({ enter: go },
    make("h1", {}, `Read first: ${state.parts[part].name}`),
    make("p", { class: "lead" }, "Take the time that you like. The text stays beside the questions, so you need not learn it by heart."),
    make("div", { class: "text" }, ...paragraphs(readings.get(part))),
    make("p", { class: "foot" }, button(["To the questions ", key("Enter")], go, { class: "main" })));
}

/** Return the pictures of a question, and what can be drawn on over the first. */
function figures(shown, number) {
  const layer = draw("svg", { class: "layer", viewBox: `0 0 ${shown.width ?? 1} ${shown.height ?? 1}` });
  const all = Array.from({ length: shown.pictures ?? 0 }, (_, place) => {
    const whole = place === 0 && shown.whole;
    const image = make("img", { src: `get/picture/${number}/${place}`, alt: `picture ${place + 1}`, draggable: "false" });
    return make("figure", { class: whole ? "whole" : shown.whole ? "cut" : "cut alone" },
      make("div", { class: "canvas" }, image, whole ? layer : null),
      shown.pictures > 1 ? make("figcaption", {}, `picture ${place + 1}`) : null);
  });
  return { layer, all };
}

async function question(number) {
  const shown = await ask(`item/${number}`);
  const part = state.parts[partOf(number)];
  const told = readings.get(partOf(number));
  const { layer, all } = figures(shown, number);
  await Promise.all(all.map((each) => $("img", each).decode().catch(() => {})));
  let passed = shown.answered && shown.said == null;
  const press = (on) => { passed = on; passing.setAttribute("aria-pressed", String(on)); note(null); };
  const answers = form(shown, shown.said, () => press(false), layer);
  const pass = (go) => {
    press(!passed || go);
    if (passed) answers.clear();
    if (go) send();
  };
  const passing = button([state.passing, " ", key(answers.typed ? "Ctrl ⏎" : "0")], () => pass(false),
    { class: "pass", "aria-pressed": String(passed) });
  const send = once(async () => {
    const said = passed ? null : answers.said();
    await ask("answer", { place: number, said, seconds: clock.look() });
    state.answered[number] = true;
    const again = shown.answered && number + 1 < state.answered.length;
    await (again ? enter(number + 1) : onward(number + 1));
  });
  const back = once(async () => { if (number > 0) await enter(number - 1); });
  const card = make("section", { class: "card" },
    make("p", { class: "where" }, `${part.name} · ${number - part.first + 1} of ${part.size}`),
    make("h1", { tabindex: "-1" }, shown.words),
    all.length > 1 ? make("div", { class: "cuts" }, ...all.slice(1)) : null,
    answers.element,
    make("div", { class: "buttons" },
      button(["Next ", key("Enter")], send, { class: "main" }),
      passing,
      number > 0 ? button(["Back ", key("Shift ⏎")], back, { class: "quiet" }) : null));
  const text = told ? make("div", { class: "text", tabindex: "0", "aria-label": "What was read" }, ...paragraphs(told)) : null;
  const beside = text ?? all[0];
  const scrolled = $(".text", main)?.scrollTop ?? 0;
  clock.look();
  clock.spent = 0;
  show({
    name: text ? "beside reads" : beside ? "beside seen" : "letter",
    enter: send, back, pass, digit: answers.digit,
    focus: () => { $("h1", card).focus({ preventScroll: true }); answers.focus(); },
  }, ...[beside, card].filter(Boolean));
  if (text) text.scrollTop = scrolled;
}

function review() {
  const hand = once(async () => thanks(await ask("finish", {})));
  const back = once(() => enter(state.answered.length - 1));
  const main = button(["Hand in ", key("Enter")], hand, { class: "main" });
  show({ enter: hand, back, focus: () => main.focus() },
    make("h1", {}, "All questions are answered"),
    make("p", { class: "lead" }, "Hand them in, or go back to some first. After that nothing can be changed."),
    make("p", {}, main, " ", button(["Back ", key("Shift ⏎")], back, { class: "quiet" })));
}

function thanks({ headline }) {
  show({},
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
})();
