// Keys, the time that a question is looked at, and boxes that are drawn over a picture.

const $ = (selector) => document.querySelector(selector);
const form = $("form.card"), answer = $("#answer"), layer = $(".layer"), text = $(".beside > .text");

// Time: only while the page can be seen.
let spent = 0, since = document.hidden ? null : performance.now();
function look() {
  if (since != null) spent += performance.now() - since;
  since = document.hidden ? null : performance.now();
}
document.addEventListener("visibilitychange", look);
form?.addEventListener("submit", () => { look(); form.elements.seconds.value = spent / 1000; });

document.addEventListener("keydown", (event) => {
  const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.isComposing || event.repeat || (event.key === "Enter" && plain && event.target.closest("a, button"))) return;
  const enter = event.shiftKey ? ".back" : plain ? ".main" : ".pass";
  const digit = event.key === "0" ? "form .pass" : `.option:nth-of-type(${event.key}) input`;
  const go = event.key === "Enter" ? enter : /^\d$/.test(event.key) && plain && event.target !== answer ? digit : null;
  if (!go) return;
  event.preventDefault();
  $(go)?.click();
});

if (text) {  // it stays where it was read
  const part = $(".where").textContent.split(" · ")[0];
  text.scrollTop = sessionStorage.getItem(part) ?? 0;
  text.addEventListener("scroll", () => sessionStorage.setItem(part, text.scrollTop));
}

const box = ([x0, y0, x1, y1]) => (y1 == null ? "" : `M${x0} ${y0}H${x1}V${y1}H${x0}Z`);

/** Return the edges of a box in space as a picture shows them, "" where they cannot be drawn. */
function solid([x, y, z, wide, high, deep], { width, height }) {
  if (deep == null || z - deep / 2 < 0.02) return "";
  const focal = height / 2 / Math.tan((layer.dataset.degrees * Math.PI) / 360);
  const spot = (corner) => {
    const [i, j, k] = [1, 2, 4].map((bit) => (corner & bit ? 0.5 : -0.5));
    const far = z + k * deep;
    return `${width / 2 + (focal * (x + i * wide)) / far} ${height / 2 + (focal * (y + j * high)) / far}`;
  };
  const pairs = [...Array(8).keys()].flatMap((corner) => [1, 2, 4].filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit]));
  return pairs.map(([a, b]) => `M${spot(a)}L${spot(b)}`).join("");
}

/** Draw the box whose numbers are written. */
function trace() {
  const numbers = (answer.value.match(/-?\d+(?:[.,]\d+)?/g) ?? []).map((each) => Number(each.replace(",", ".")));
  $(".drawn").setAttribute("d", layer.dataset.draw === "box" ? box(numbers) : solid(numbers, layer.viewBox.baseVal));
}

if (layer?.dataset.draw) {
  answer.addEventListener("input", trace);
  trace();
}
if (layer?.dataset.draw === "box") {  // with mouse, pen or finger
  const view = layer.viewBox.baseVal;
  const at = (event) => {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    return [[spot.x, view.width], [spot.y, view.height]].map(([value, most]) => Math.round(Math.min(Math.max(value, 0), most)));
  };
  let from = null;
  layer.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    from = at(event);
    layer.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  layer.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [[x0, y0], [x1, y1]] = [from, at(event)];
    answer.value = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)].join(" ");
    trace();
  });
  for (const end of ["pointerup", "pointercancel"]) layer.addEventListener(end, () => { from = null; });
}
