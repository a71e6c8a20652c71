// Small helpers for making elements. Text is only ever set as text.

export const $ = (selector, at = document) => at.querySelector(selector);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

export const make = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

export const key = (name) => make("kbd", {}, name);

export const button = (words, onclick, more = {}) =>
  make("button", { type: "button", onclick, ...more }, ...[words].flat());

export const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
