// One function for each way to answer. It returns `element`; `said()`, which gives the answer or
// throws what is missing; `clear()` and `focus()`; `digit(n)` where digits choose; `typed` where they
// are written. `start` is what was answered before, null where nothing was.

import { draw, key, make } from "./dom.js";

const missing = (words) => { throw new Error(words); };

/** One of the choices or, in a set, all that hold: `shown.alone` excludes the others. */
function choice(shown, start, changed) {
  const set = shown.form === "set";
  const chosen = new Set([start].flat());
  const only = ({ target }) => {
    const alone = target.value === shown.alone;
    if (set && target.checked) for (const each of inputs) if ((each.value === shown.alone) !== alone) each.checked = false;
    changed();
  };
  const inputs = shown.choices.map((value) =>
    make("input", { type: set ? "checkbox" : "radio", name: "choice", value, checked: chosen.has(value), onchange: only }));
  const labels = inputs.map((input, place) =>
    make("label", { class: "option" }, input, key(String(place + 1)), make("span", {}, shown.choices[place])));
  const checked = () => inputs.filter((each) => each.checked).map((each) => each.value);
  return {
    element: make("fieldset", { class: inputs.length > 5 ? "options many" : "options" },
      make("legend", { class: set ? "hint" : "hidden" }, set ? "All that there were." : "Answers"), ...labels),
    said: () => (checked().length ? (set ? checked() : checked()[0]) : missing("Choose an answer first.")),
    digit: (n) => { inputs[n - 1]?.click(); inputs[n - 1]?.focus(); },
    clear: () => inputs.forEach((each) => { each.checked = false; }),
    focus: () => { if (!set) inputs.find((each) => each.checked)?.focus(); },
  };
}

const field = (tag, attributes) =>
  make(tag, { autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...attributes });

function text(shown, start, changed) {
  const more = { id: "answer", maxlength: shown.longest ?? 500, oninput: changed };
  const input = shown.longest ? field("textarea", { ...more, rows: 4 }) : field("input", { ...more, type: "text" });
  input.value = start ?? "";
  return {
    typed: true,
    element: make("p", { class: "field" }, make("label", { for: "answer" }, `Your answer: ${shown.hint}`), input),
    said: () => input.value.trim() || missing("Write an answer first."),
    clear: () => { input.value = ""; },
    focus: () => input.focus({ preventScroll: true }),
  };
}

// ---- Numbers: one, four sides of a box on the picture, or six lengths of a box in space ---------

const KINDS = {
  number: (shown) => ({
    names: [shown.unit ? "Your answer" : "Your answer: how many"], unit: shown.unit, step: shown.step,
    fields: (said) => [said], said: ([value]) => value, path: () => "",
  }),
  box: () => ({
    names: ["left", "top", "right", "bottom"], unit: "pixels", step: 1,
    hint: "Drag over the picture from one corner to the other.",
    fields: (said) => said, said: (values) => values, path: ([x0, y0, x1, y1]) => `M${x0} ${y0}H${x1}V${y1}H${x0}Z`,
  }),
  solid: (shown) => ({
    names: ["right", "down", "ahead", "wide", "high", "deep"], unit: "m", step: 0.1,
    hint: "First its middle, from the camera: how far to the right of its axis (left is negative), down from it, and ahead; then its size. The box is drawn on the picture as you write.",
    fields: ({ centre, size }) => [...centre, ...size], said: (values) => ({ centre: values.slice(0, 3), size: values.slice(3) }),
    path: (values) => edges(values, shown),
  }),
};

function numbers(shown, start, changed, layer) {
  const kind = KINDS[shown.form](shown);
  const before = start == null ? [] : kind.fields(start);
  const read = (input) => (input.value.trim() ? Number(input.value.trim().replace(",", ".")) : NaN);
  const step = (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.target.value = String(Number(((read(event.target) || 0) + way * kind.step).toFixed(3)));
    show();
  };
  const show = () => {
    const values = inputs.map(read);
    path.setAttribute("d", values.every(Number.isFinite) ? kind.path(values) : "");
    changed();
  };
  const set = (values) => { inputs.forEach((input, place) => { input.value = values[place] ?? ""; }); show(); };
  const path = draw("path", { class: "drawn" });
  const ids = kind.names.map((_, place) => (place ? `answer-${place}` : "answer"));
  const inputs = ids.map((id) =>
    field("input", { type: "text", id, class: "number", inputmode: "decimal", oninput: () => show(), onkeydown: step }));
  inputs.forEach((input, place) => { input.value = before[place] ?? ""; });
  if (before.length) path.setAttribute("d", kind.path(before));
  layer.append(path);
  if (shown.form === "box") drags(layer, set);
  return {
    typed: shown.form !== "box",
    element: make("div", {}, kind.hint ? make("p", { class: "hint" }, kind.hint) : null, make("div", { class: shown.form },
      ...inputs.map((input, place) => make("p", { class: "field" }, make("label", { for: ids[place] }, kind.names[place]),
        input, make("span", { class: "hint" }, kind.unit))))),
    said: () => (inputs.map(read).every(Number.isFinite) ? kind.said(inputs.map(read)) : missing("Give each number first.")),
    clear: () => { inputs.forEach((input) => { input.value = ""; }); path.setAttribute("d", ""); },
    focus: () => { if (shown.form !== "box") inputs[0].focus({ preventScroll: true }); },
  };
}

/** Draw a box with mouse, pen or finger: `set` is told its sides. */
function drags(layer, set) {
  const box = layer.viewBox.baseVal;
  const at = (event) => {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    return [[spot.x, box.width], [spot.y, box.height]].map(([value, most]) => Math.round(Math.min(Math.max(value, 0), most)));
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

/** Return the path of a box's edges in the picture, "" where it cannot be drawn. */
function edges([x, y, z, wide, high, deep], lens) {
  const focal = lens.height / 2 / Math.tan((lens.fovy * Math.PI) / 360);
  if (z - deep / 2 < 0.02) return "";
  const spot = (corner) => {
    const [i, j, k] = [1, 2, 4].map((bit) => (corner & bit ? 0.5 : -0.5));
    const far = z + k * deep;
    return `${lens.width / 2 + (focal * (x + i * wide)) / far} ${lens.height / 2 + (focal * (y + j * high)) / far}`;
  };
  const pairs = [...Array(8).keys()].flatMap((corner) => [1, 2, 4].filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit]));
  return pairs.map(([a, b]) => `M${spot(a)}L${spot(b)}`).join("");
}

const FORMS = { choice, set: choice, text, number: numbers, box: numbers, solid: numbers };

/** Return the form of a question; `layer` is what can be drawn on over its first picture. */
export const form = (shown, start, changed, layer) => FORMS[shown.form](shown, start, changed, layer);
