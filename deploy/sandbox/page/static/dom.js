// Elements from plain data. Text only ever enters the page as text nodes.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "tone") element.style.setProperty("--tone", value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

// Redraws a place only when its data changed, so that focus, selection and open details survive.
const drawn = new WeakMap();
export function redraw(place, data, build) {
  const mark = JSON.stringify(data);
  if (drawn.get(place) === mark) return false;
  drawn.set(place, mark);
  place.replaceChildren(...[build(data)].flat(Infinity).filter(Boolean));
  return true;
}

export function choices(select, options, chosen) {
  redraw(select, options, () =>
    options.map(({ value, label }) => make("option", { value }, label)));
  if (options.some(({ value }) => value === chosen)) select.value = chosen;
  return select.value;
}

export function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

const TONES = ["#3d6b8e", "#7a5230", "#4d7443", "#8a4160", "#5d5590", "#2f7473", "#8c5c1d"];
export function face(name, isBot) {
  const sum = [...name].reduce((total, letter) => total + letter.codePointAt(0), 0);
  const tone = isBot ? "#5b3d8a" : TONES[sum % TONES.length];
  return make("span", { class: "face", tone, "aria-hidden": "true" }, name[0] || "?");
}

export function problem(text) {
  const place = byId("problem");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(problem.timer);
  problem.timer = setTimeout(() => { place.hidden = true; }, 6000);
}
