// The map of a maze: what is told by a step, and the routes of a question.
const mazeMap = (() => {
  const { $, centre: middle } = worldquiz;
  const SVG = "http://www.w3.org/2000/svg";
  let maze = null;

  const edgesOf = (node) => node.dataset.e.split(" ").map(Number);
  const within = (step, upto) => step !== null && step <= upto;
  const firstOf = (edge) => Math.min(...[edge[5], edge[6]].filter((step) => step !== null));

  function state(edges, upto) {
    if (edges.some((edge) => within(edge[5], upto))) return "taken";
    return edges.some((edge) => within(edge[6], upto)) ? "imputed" : "unseen";
  }

  function show(block) {
    maze = block;
    $("map").innerHTML = maze.map; // our own drawing; its texts were escaped when it was made
  }

  // Marks the map as of a step, its latest moves too if wanted; returns how much is told by then.
  function mark(upto, latest) {
    for (const node of $("map").querySelectorAll("[data-e]")) {
      const edges = edgesOf(node).map((number) => maze.edges[number]);
      const now = state(edges, upto);
      for (const name of ["taken", "imputed", "unseen"]) node.classList.toggle(name, name === now);
      node.classList.toggle("now", latest && edges.some((edge) => edge[5] === upto || (edge[6] === upto && edge[5] === null)));
      if (node.tagName === "g") title(node, edges, upto);
    }
    for (const node of $("map").querySelectorAll("[data-p]")) {
      const known = within(maze.first[node.dataset.p], upto);
      node.classList.toggle("told", known);
      node.classList.toggle("untold", !known);
    }
    const count = (name) => maze.edges.filter((edge) => state([edge], upto) === name).length;
    return { places: maze.first.filter((step) => within(step, upto)).length, taken: count("taken"), imputed: count("imputed") };
  }

  function title(node, edges, upto) {
    const words = edges.map((edge) => maze.places[edge[0]] + " — " + edge[1] + " → " + maze.places[edge[2]] + ": " +
      (within(edge[5], upto) ? "taken at step " + edge[3]
        : within(edge[6], upto) ? "imputed: its reverse is taken at step " + edge[4]
          : Number.isFinite(firstOf(edge)) ? "told at step " + firstOf(edge) : "never told"));
    node.querySelector("title").textContent = words.join("\n");
  }

  function clear() {
    for (const path of $("map").querySelectorAll("path.trace")) path.remove();
    for (const name of ["route", "said", "from", "to", "flash"]) {
      for (const node of $("map").querySelectorAll("." + name)) node.classList.remove(name);
    }
  }

  // Draws the route that answers a question, and over it what contestants told: [colour, edges].
  function route(correct, told, from, goals) {
    clear();
    for (const node of $("map").querySelectorAll(".link, text.move, .label tspan.move")) {
      const parts = node.matches(".link") ? [...node.children] : [node];
      const numbers = parts.flatMap(edgesOf);
      const on = (edges) => edges.some((number) => numbers.includes(number));
      node.classList.toggle("route", on(correct));
      const colours = told.filter(([, edges]) => on(edges)).map(([colour]) => colour);
      node.classList.toggle("said", colours.length > 0);
      for (const part of node.matches(".link") ? parts : []) overlay(part, colours);
    }
    for (const node of $("map").querySelectorAll("[data-p]")) {
      const name = maze.places[node.dataset.p];
      node.classList.toggle("from", name === from);
      node.classList.toggle("to", goals.includes(name));
    }
  }

  // Contestants who tell the same move share its line in turns.
  function overlay(node, colours) {
    const line = node.querySelector(".line");
    colours.forEach((colour, place) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", "trace");
      path.setAttribute("d", line.getAttribute("d"));
      path.style.stroke = "var(" + colour + ")";
      if (colours.length > 1) {
        path.style.strokeDasharray = "8 " + 8 * (colours.length - 1);
        path.style.strokeDashoffset = String(-8 * place);
      }
      node.append(path);
    });
  }

  // Brings a place into the middle of the map's box.
  function centre(name) {
    const place = [...$("map").querySelectorAll("[data-p]")].find((node) => maze.places[node.dataset.p] === name);
    if (!place) return null;
    middle($("map"), place);
    return place;
  }

  // Brings the latest move into sight.
  function follow() {
    const now = $("map").querySelector(".now");
    if (now) middle($("map"), now);
  }

  // A move that is told in a box leads to where it leads.
  function onClick(event) {
    const words = event.target.closest("text.move[data-e], tspan.move[data-e]");
    if (!words) return;
    for (const old of $("map").querySelectorAll(".flash")) old.classList.remove("flash");
    centre(maze.places[maze.edges[edgesOf(words)[0]][2]])?.classList.add("flash");
  }

  return { centre, follow, mark, onClick, route, show, within };
})();
