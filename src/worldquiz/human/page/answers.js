// One function for each form of answer. A form has: `element`; `said()`, which returns the answer
// or throws what is missing; `digit(n)`; `enter(event)`, true where Enter means something within
// the form; `focus()`. `start` is what was answered before, null where nothing was.

import { button, draw, key, make } from "./dom.js";

const missing = (words) => { throw new Error(words); };

function options(shown, type, start, changed, { name = "choice", legend = null, first = 1 } = {}) {
  const chosen = new Set([start].flat());
  const inputs = shown.choices.map((choice) =>
    make("input", { type, name, value: choice, checked: chosen.has(choice), onchange: changed }));
  const labels = inputs.map((input, place) =>
    make("label", { class: "option" }, input, key(String(place + first)), make("span", {}, shown.choices[place])));
  const element = make("fieldset", { class: shown.choices.length > 5 ? "options many" : "options" },
    make("legend", { class: legend ? null : "hidden" }, legend ?? "Answers"), ...labels);
  return { element, inputs, chosen: () => inputs.filter((each) => each.checked).map((each) => each.value) };
}

function choice(shown, start, changed) {
  const { element, inputs, chosen } = options(shown, "radio", start, changed);
  return {
    element,
    said: () => chosen()[0] ?? missing("Choose an answer first."),
    digit: (n) => { inputs[n - 1]?.click(); inputs[n - 1]?.focus(); },
    arrow: (event) => {
      const first = { ArrowDown: 0, ArrowUp: inputs.length - 1 }[event.key];
      if (first == null || element.contains(document.activeElement)) return false;
      inputs[first].click();
      inputs[first].focus();
      return true;
    },
    clear: () => inputs.forEach((each) => { each.checked = false; }),
    focus: () => inputs.find((each) => each.checked)?.focus(),
  };
}

function set(shown, start, changed) {
  const only = (event) => {
    const alone = event.target.value === shown.alone;
    if (event.target.checked) {
      for (const each of inputs) if ((each.value === shown.alone) !== alone) each.checked = false;
    }
    changed();
  };
  const { element, inputs, chosen } = options(shown, "checkbox", start, only);
  element.prepend(make("p", { class: "hint" }, "All that there were."));
  return {
    element,
    said: () => (chosen().length ? chosen() : missing("Choose all that there were, or “nothing”.")),
    digit: (n) => { inputs[n - 1]?.click(); inputs[n - 1]?.focus(); },
    clear: () => inputs.forEach((each) => { each.checked = false; }),
    focus: () => {},
  };
}

const field = (attributes) =>
  make("input", { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...attributes });

function text(shown, start, changed) {
  const input = field({ id: "answer", value: start ?? "", maxlength: 500, oninput: changed });
  return {
    element: make("p", { class: "field" }, make("label", { for: "answer" }, `Your answer: ${shown.hint}`), input),
    said: () => input.value.trim() || missing("Write an answer first."),
    clear: () => { input.value = ""; },
    focus: () => input.focus({ preventScroll: true }),
  };
}

/** Read a number as people write it, with a point or a comma. */
function read(input, words) {
  const value = Number(input.value.trim().replace(",", "."));
  return input.value.trim() && Number.isFinite(value) ? value : missing(words);
}

/** Let the arrow keys count up and down in a field. */
const steps = (step, low) => (event) => {
  const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!way) return;
  event.preventDefault();
  const now = Number(event.target.value.replace(",", ".")) || 0;
  event.target.value = String(Math.max(low, Math.round((now + way * step) / step) * step).toFixed(step < 1 ? 1 : 0));
  event.target.dispatchEvent(new Event("input"));
};

function number(shown, start, changed) {
  const input = field({
    id: "answer", class: "number", inputmode: shown.step < 1 ? "decimal" : "numeric", value: start ?? "",
    oninput: changed, onkeydown: steps(shown.step, 0),
  });
  const label = shown.unit ? `Your answer, in ${shown.unit}` : "Your answer: how many";
  return {
    element: make("p", { class: "field" }, make("label", { for: "answer" }, label), input,
      make("span", { class: "unit" }, shown.unit)),
    said: () => read(input, "Give a number first."),
    clear: () => { input.value = ""; },
    focus: () => input.focus({ preventScroll: true }),
  };
}

// ---- A box drawn on the picture -------------------------------------------------------------

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

function box(shown, start, changed, layer) {
  let now = start ? [...start] : null;
  const rectangle = draw("rect", { class: "drawn" });
  const corners = [0, 1, 2, 3].map(() => draw("circle", { class: "corner", r: 6 }));
  const told = make("output", { class: "hint" });
  const size = [shown.width, shown.height];
  const show = () => {
    const [x0, y0, x1, y1] = now ?? [0, 0, 0, 0];
    for (const each of [rectangle, ...corners]) each.toggleAttribute("hidden", !now);
    for (const [name, value] of Object.entries({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 })) {
      rectangle.setAttribute(name, value);
    }
    [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].forEach(([x, y], place) => {
      corners[place].setAttribute("cx", x);
      corners[place].setAttribute("cy", y);
    });
    told.textContent = now ? `Box: ${now.join(", ")}` : "Drag over the picture from one corner to the other.";
  };
  const set = (box) => {
    const [x0, x1] = [box[0], box[2]].sort((a, b) => a - b).map((x) => Math.round(clamp(x, 0, size[0])));
    const [y0, y1] = [box[1], box[3]].sort((a, b) => a - b).map((y) => Math.round(clamp(y, 0, size[1])));
    now = [x0, y0, x1, y1];
    show();
    changed();
  };
  drags(layer, () => now, set);
  layer.append(rectangle, ...corners);
  layer.setAttribute("tabindex", "0");
  layer.setAttribute("role", "application");
  layer.setAttribute("aria-label", "Picture: draw a box. Arrow keys move it, with Shift they move its lower right corner.");
  layer.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y] = way.map((each) => each * (event.altKey || event.ctrlKey ? 1 : 8));
    const [x0, y0, x1, y1] = now ?? [size[0] * 0.4, size[1] * 0.4, size[0] * 0.6, size[1] * 0.6].map(Math.round);
    if (!now) set([x0, y0, x1, y1]);
    else if (event.shiftKey) set([x0, y0, Math.max(x1 + x, x0 + 1), Math.max(y1 + y, y0 + 1)]);
    else {
      const [dx, dy] = [clamp(x, -x0, size[0] - x1), clamp(y, -y0, size[1] - y1)];
      set([x0 + dx, y0 + dy, x1 + dx, y1 + dy]);
    }
  });
  show();
  return {
    element: make("div", {}, told, make("p", { class: "hint keys" }, "or: ", key("arrows"), " move it, with ",
      key("Shift"), " its corner, with ", key("Ctrl"), " pixel by pixel")),
    said: () => (now && now[0] < now[2] && now[1] < now[3] ? now : missing("Draw a box first: drag over the picture.")),
    clear: () => { now = null; show(); },
    focus: () => layer.focus({ preventScroll: true }),
  };
}

/** Draw, move and pull a box with mouse, pen or finger. */
function drags(layer, get, set) {
  const at = (event) => {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    return [spot.x, spot.y];
  };
  let from = null;
  layer.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const [x, y] = at(event);
    const now = get();
    const near = 12 * (layer.viewBox.baseVal.width / layer.clientWidth);
    const [x0, y0, x1, y1] = now ?? [];
    const corner = now && Math.min(Math.abs(x - x0), Math.abs(x - x1)) < near && Math.min(Math.abs(y - y0), Math.abs(y - y1)) < near;
    if (corner) {
      from = { fixed: [Math.abs(x - x0) < Math.abs(x - x1) ? x1 : x0, Math.abs(y - y0) < Math.abs(y - y1) ? y1 : y0] };
    } else if (now && x > x0 && x < x1 && y > y0 && y < y1) {
      from = { grip: [x - x0, y - y0], size: [x1 - x0, y1 - y0] };
    } else from = { fixed: [x, y] };
    layer.setPointerCapture(event.pointerId);
    layer.focus({ preventScroll: true });
    event.preventDefault();
  });
  layer.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y] = at(event);
    if (from.fixed) return set([...from.fixed, x, y]);
    const { width, height } = layer.viewBox.baseVal;
    const x0 = clamp(x - from.grip[0], 0, width - from.size[0]);
    const y0 = clamp(y - from.grip[1], 0, height - from.size[1]);
    set([x0, y0, x0 + from.size[0], y0 + from.size[1]]);
  });
  for (const end of ["pointerup", "pointercancel"]) layer.addEventListener(end, () => { from = null; });
}

// ---- A box in space: six lengths, drawn as they are written -----------------------------------

const AXES = [["right", "right"], ["down", "down"], ["ahead", "ahead"]];
const SIDES = [["wide", "wide"], ["high", "high"], ["deep", "deep"]];

function solid(shown, start, changed, layer) {
  const frame = draw("path", { class: "drawn" });
  layer.append(frame);
  const entry = (id, words, value, low) => {
    const input = field({ id, class: "number", inputmode: "decimal", value: value ?? "", onkeydown: steps(0.1, low) });
    return [input, make("p", { class: "field" }, make("label", { for: id }, words), input, make("span", { class: "unit" }, "m"))];
  };
  const centre = AXES.map(([id, words], place) => entry(id, words, start?.centre[place], place === 2 ? 0 : -100));
  const size = SIDES.map(([id, words], place) => entry(id, words, start?.size[place], 0));
  const inputs = [...centre, ...size].map(([input]) => input);
  const values = () => inputs.map((input) => Number(input.value.trim().replace(",", ".") || NaN));
  const show = () => frame.setAttribute("d", outline(values(), shown));
  for (const input of inputs) input.addEventListener("input", () => { show(); changed(); });
  show();
  return {
    element: make("div", { class: "solid" },
      make("fieldset", {}, make("legend", {}, "Its middle"), ...centre.map(([, each]) => each)),
      make("fieldset", {}, make("legend", {}, "Its size"), ...size.map(([, each]) => each)),
      make("p", { class: "hint" }, "The middle is told from the camera: how far to the right of its axis (left is negative), down from it, and ahead. The box is drawn on the picture as you write.")),
    said: () => {
      const told = inputs.map((input) => read(input, "Give all six lengths, in metres."));
      return { centre: told.slice(0, 3), size: told.slice(3) };
    },
    clear: () => { for (const input of inputs) input.value = ""; show(); },
    focus: () => inputs[0].focus({ preventScroll: true }),
  };
}

/** Return the path of a box's edges in the picture, "" where it cannot be drawn. */
function outline([x, y, z, wide, high, deep], lens) {
  const focal = lens.height / 2 / Math.tan((lens.fovy * Math.PI) / 360);
  const spots = [];
  for (const i of [-1, 1]) for (const j of [-1, 1]) for (const k of [-1, 1]) {
    const far = z + (k * deep) / 2;
    spots.push([lens.width / 2 + (focal * (x + (i * wide) / 2)) / far, lens.height / 2 + (focal * (y + (j * high) / 2)) / far, far]);
  }
  if (spots.some(([u, v, far]) => !Number.isFinite(u + v) || far < 0.02)) return "";
  const edges = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];
  return edges.map(([a, b]) => `M${spots[a][0]} ${spots[a][1]}L${spots[b][0]} ${spots[b][1]}`).join("");
}

// ---- A way, move by move ----------------------------------------------------------------------

function route(shown, start, changed) {
  const fixed = shown.moves ?? null;
  const rows = make("ol", { class: "route" });
  const lists = ["moves", "places"].map((name) =>
    make("datalist", { id: name }, ...(shown.lists?.[name] ?? []).map((value) => make("option", { value }))));
  const add = (told = {}) => {
    const place = rows.children.length + 1;
    const move = fixed
      ? make("b", { class: "act" }, fixed[place - 1])
      : field({ class: "move", list: "moves", "aria-label": `Move ${place}`, placeholder: "move", value: told.move ?? "", oninput: changed });
    const needed = fixed && place === fixed.length;
    const where = field({
      class: "place", list: "places", "aria-label": `Place after move ${place}`, value: told.place ?? "",
      placeholder: needed ? "where you are now" : "place (optional)", oninput: changed,
    });
    rows.append(make("li", {}, move, make("span", { class: "to", "aria-hidden": "true" }, "→"), where));
  };
  const fields = (kind) => [...rows.querySelectorAll(kind)];
  const reset = (said) => {
    rows.replaceChildren();
    const told = said?.length ? said : (fixed ?? [null]);
    told.forEach((each) => add(fixed && !said ? {} : (each ?? {})));
    if (!fixed && said?.length) add();
  };
  reset(start);
  const told = () => {
    const found = [...rows.children].map((row, place) => ({
      move: fixed ? fixed[place] : row.querySelector(".move").value.trim(),
      place: row.querySelector(".place").value.trim(),
    }));
    const used = fixed ? found : found.filter((each) => each.move || each.place);
    if (!used.length) missing("Write the first move.");
    if (!used.every((each) => each.move)) missing("Write a move before each place.");
    if (fixed && !used.at(-1).place) missing("Write where you are in the end.");
    return used;
  };
  const enter = (event) => {
    const row = event.target.closest?.("li");
    if (!row || !rows.contains(row)) return false;
    const last = row === rows.lastElementChild;
    if (fixed) {
      if (!last) row.nextElementSibling.querySelector(".place").focus();
      return !last;
    }
    if (!row.querySelector(".move").value.trim()) return false;
    if (last) add();
    row.nextElementSibling.querySelector(".move").focus();
    return true;
  };
  rows.addEventListener("keydown", (event) => {
    const row = event.target.closest("li");
    if (fixed || event.key !== "Backspace" || event.target.value || !row.previousElementSibling) return;
    if (event.target.matches(".move") && !row.querySelector(".place").value) {
      event.preventDefault();
      const before = row.previousElementSibling;
      row.remove();
      before.querySelector(".place").focus();
      changed();
    }
  });
  const hint = fixed
    ? "The last place is enough. With every place on the way, your reasoning counts as well."
    : "One move a line; Enter begins the next, and on an empty line goes on. With every place on the way, your reasoning counts as well.";
  return {
    element: make("div", {}, make("p", { class: "hint" }, `From ${shown.start}:`), rows, ...lists,
      fixed ? null : button("One more move", () => { add(); fields(".move").at(-1).focus(); }, { class: "quiet" }),
      make("p", { class: "hint" }, hint)),
    said: told,
    enter,
    clear: () => reset(null),
    focus: () => (fixed ? fields(".place") : fields(".move")).at(-1)?.focus({ preventScroll: true }),
  };
}

const FORMS = { choice, set, text, number, box, solid, route };

/** Return the form of a question; `layer` is what can be drawn on over its first picture. */
export const form = (shown, start, changed, layer) => FORMS[shown.form](shown, start, changed, layer);
