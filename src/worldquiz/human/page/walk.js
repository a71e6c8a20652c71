// A walk: a move is chosen with arrows or buttons, made with Enter, and shown as it was rendered.

import { button, draw, key, make } from "./dom.js";

const TURN = 15, FINE_TURN = 5, WALK = 0.5, FINE_WALK = 0.1;
const ENDS = {
  arrived: "You have arrived.", "given up": "You gave this walk up.", "out of moves": "That was the last move.",
};

export function walk(shown, make_move, layer, note) {
  let turn = 0, far = 0, busy = false;
  const arrow = draw("path", { class: "aim", d: "M0 -8 V-40 M-7 -32 L0 -41 L7 -32" });
  const half = Math.atan(Math.tan((shown.fovy * Math.PI) / 360) * (shown.width / shown.height));
  const [x, y] = [46 * Math.sin(half), 46 * Math.cos(half)];
  const dial = draw("svg", { class: "dial", viewBox: "-50 -50 100 100", role: "img", "aria-label": "Where you will look" },
    draw("circle", { r: 46 }), draw("path", { class: "sight", d: `M0 0 L${-x} ${-y} A46 46 0 0 1 ${x} ${-y} Z` }),
    draw("circle", { class: "me", r: 5 }), arrow);
  const mark = draw("path", { class: "mark", d: "M0 -14 V14 M-6 0 H6" });
  layer.append(mark);
  const told = make("output", { class: "aimed", "aria-live": "polite" });
  const go = button(["Go ", key("Enter")], () => move(), { class: "main" });

  const quit = button("Give up", () => {
    if (quit.dataset.sure) return move(true);
    quit.dataset.sure = "yes";
    quit.textContent = "Really give this walk up?";
  }, { class: "quiet" });

  const show = () => {
    arrow.setAttribute("transform", `rotate(${-turn}) scale(1 ${0.6 + far / 5})`);
    const side = turn === 0 ? "straight ahead" : `${Math.abs(turn)}° to the ${turn > 0 ? "left" : "right"}`;
    told.textContent = far ? `${side}, then ${far.toFixed(1)}\u00a0m` : `${side}, no step`;
    const angle = (turn * Math.PI) / 180, pitch = (shown.pitch * Math.PI) / 180;
    const focal = shown.height / 2 / Math.tan((shown.fovy * Math.PI) / 360);
    const across = shown.width / 2 - (focal * Math.tan(angle)) / Math.cos(pitch);
    const up = shown.height / 2 + focal * Math.tan(pitch);
    mark.toggleAttribute("hidden", Math.abs(turn) >= 80 || across < 0 || across > shown.width || !turn);
    mark.setAttribute("transform", `translate(${across} ${Math.max(up, 18)})`);
  };
  const aim = (by, step) => {
    turn += by;
    if (turn > 180) turn -= 360;
    if (turn <= -180) turn += 360;
    far = Math.round(Math.min(Math.max(far + step, 0), shown.longest) * 10) / 10;
    show();
  };
  const move = async (stop = false) => {
    if (busy) return;
    if (!stop && !turn && !far) return note("Turn with ← →, choose a distance with ↑ ↓; then Enter.");
    busy = true;
    try {
      await make_move(stop ? null : { turn, walk: far });
    } finally {
      busy = false;
    }
  };
  show();

  const pad = make("div", { class: "pad" },
    button("↰", () => aim(TURN, 0), { "aria-label": "further to the left", class: "left" }),
    button("↑", () => aim(0, WALK), { "aria-label": "half a metre further", class: "up" }),
    button("↱", () => aim(-TURN, 0), { "aria-label": "further to the right", class: "right" }),
    button("↓", () => aim(0, -WALK), { "aria-label": "half a metre less", class: "down" }));
  const left = shown.limit - shown.moves;
  const bump = shown.bumped ? ", until something was in the way" : "";
  const happened = shown.walked == null ? "This is what you see."
    : shown.walked || bump ? `You walked ${shown.walked.toFixed(1)}\u00a0m${bump}.` : "You turned.";
  const element = shown.over
    ? make("p", { class: "end" }, ENDS[shown.outcome])
    : make("div", { class: "walk" },
        make("p", { class: "hint" }, `${happened} ${left} of ${shown.limit} moves left: a move turns you, then walks you up to ${shown.longest}\u00a0m.`),
        make("div", { class: "steer" }, dial, pad),
        told,
        make("p", { class: "row" }, go, quit),
        make("p", { class: "hint keys" }, key("←"), key("→"), " turn, ", key("↑"), key("↓"), " distance, with ", key("Shift"), " finer"));
  if (shown.over) mark.setAttribute("hidden", "");

  return {
    element,
    focus: () => {},
    arrow(event) {
      if (shown.over) return false;
      const fine = event.shiftKey;
      const by = { ArrowLeft: fine ? FINE_TURN : TURN, ArrowRight: fine ? -FINE_TURN : -TURN }[event.key] ?? 0;
      const step = { ArrowUp: fine ? FINE_WALK : WALK, ArrowDown: fine ? -FINE_WALK : -WALK }[event.key] ?? 0;
      if (by || step) aim(by, step);
      return Boolean(by || step);
    },
    enter() {
      if (!shown.over) move();
      return !shown.over;
    },
  };
}
