"use strict";
const worldquiz = (() => {
  const $ = (id) => document.getElementById(id);
  const read = (id) => JSON.parse($(id).textContent);

  const el = (tag, options = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (name === "class") node.className = value;
      else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const push = (map, key, value) => (map.get(key) || map.set(key, []).get(key)).push(value);

  // Scrolls inside the pane, and the page only where the pane is out of sight.
  function bring(item) {
    const list = item.parentElement;
    list.scrollTop = item.offsetTop - list.clientHeight / 4;
    list.closest(".pane").scrollIntoView({ block: "nearest" });
  }

  // Scrolls a box, and nothing else, so that something in it is in its middle.
  function centre(box, node) {
    const view = box.getBoundingClientRect(), at = node.getBoundingClientRect();
    box.scrollBy(at.x + at.width / 2 - view.x - view.width / 2, at.y + at.height / 2 - view.y - view.height / 2);
  }

  function highlight(list, item) {
    for (const old of list.querySelectorAll(".hit")) { old.classList.remove("hit"); old.removeAttribute("aria-current"); }
    item.classList.add("hit");
    item.setAttribute("aria-current", "true");
  }

  function select(list, test) {
    for (const tab of list.children) {
      const on = test(tab);
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
  }

  // Arrow keys walk through tabs and steps, as readers of tab lists and transcripts expect.
  function arrows(list, keys, items) {
    list.addEventListener("keydown", (event) => {
      const all = items().filter((item) => !item.disabled);
      const here = all.findIndex((item) => item === document.activeElement || item.parentElement === document.activeElement);
      const to = { [keys[0]]: here - 1, [keys[1]]: here + 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined || here < 0 || !all[to]) return;
      event.preventDefault();
      all[to].click();
      if (all[to].getAttribute("role") === "tab") all[to].focus();
    });
  }

  // A heading sorts its table, numbers from the most, names from A; again the other way round.
  function sort(heading, wanted = null) {
    const table = heading.closest("table"), place = heading.cellIndex, before = heading.getAttribute("aria-sort");
    const down = wanted ? wanted === "down" : before === "ascending" || (before === null && place > 0);
    for (const each of heading.parentElement.cells) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => row.cells[place].dataset.value;
    const order = (a, b) => {
      const [one, two] = [value(a), value(b)];
      if (one === undefined || two === undefined) return (one === undefined) - (two === undefined);
      const rise = place ? Number(one) - Number(two) : one.localeCompare(two);
      return down ? -rise : rise;
    };
    for (const body of table.tBodies) body.append(...[...body.rows].sort(order));
  }
  const sorted = [...document.querySelectorAll("table")].filter((table) => table.querySelector("button.sort"));
  for (const button of document.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => { sort(button.closest("th")); remember({ sort: orders() }); });
  }

  // How tables are sorted, as the address has it: number of the table, column, direction.
  const orders = () => sorted.flatMap((table, number) => {
    const heading = table.querySelector("th[aria-sort]");
    return heading ? [number + "." + heading.cellIndex + "." + (heading.ariaSort === "descending" ? "down" : "up")] : [];
  }).join(",");
  function sortAll() {
    for (const [number, place, way] of (recall().get("sort") || "").split(",").map((each) => each.split("."))) {
      const heading = sorted[number]?.tHead.rows[0].cells[place];
      if (heading?.querySelector("button.sort")) sort(heading, way);
    }
  }

  // What is on show stands in the address: values are put beside those that it has, empty ones go.
  const recall = () => new URLSearchParams(location.hash.slice(1));
  function remember(values) {
    const parts = recall();
    for (const [name, value] of Object.entries(values)) {
      if (value === "" || value === null || value === undefined) parts.delete(name);
      else parts.set(name, value);
    }
    history.replaceState(null, "", "#" + parts);
  }

  // A map may take the whole width, with text and questions below it.
  for (const button of document.querySelectorAll("button.spread")) {
    const panes = button.closest(".panes");
    const spread = (on) => { panes.classList.toggle("spread", on); button.setAttribute("aria-pressed", String(on)); };
    button.addEventListener("click", () => {
      spread(!panes.classList.contains("spread"));
      remember({ wide: panes.classList.contains("spread") ? "yes" : null });
    });
    spread(recall().has("wide"));
  }

  sortAll();
  addEventListener("hashchange", sortAll);

  return { $, arrows, bring, centre, el, highlight, push, read, recall, remember, select };
})();
