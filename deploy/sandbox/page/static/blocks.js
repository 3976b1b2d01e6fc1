// Slack's Block Kit to elements. `act(actionId, value)` is called for buttons and menus.

import { make } from "./dom.js";
import { mrkdwn } from "./markup.js";

export function blocksOf(list, names, act) {
  return make("div", { class: "blocks" }, list.map((block) => blockOf(block, names, act)));
}

function textOf(text, names) {
  if (!text) return null;
  if (text.type === "plain_text") return make("div", { class: "words" }, text.text);
  return mrkdwn(text.text, names);
}

function blockOf(block, names, act) {
  switch (block.type) {
    case "header": return make("div", { class: "header" }, block.text.text);
    case "divider": return make("hr");
    case "section": return make("div", { class: "section" },
      make("div", {},
        textOf(block.text, names),
        block.fields && make("div", { class: "fields" }, block.fields.map((f) => textOf(f, names)))),
      block.accessory && make("div", {}, elementOf(block.accessory, act)));
    case "context": return make("div", { class: "context" },
      block.elements.map((e) => (e.type === "image" ? make("span", {}, e.alt_text) : textOf(e, names))));
    case "actions": return make("div", { class: "actions" },
      block.elements.map((element) => elementOf(element, act)));
    case "input": return inputOf(block);
    case "markdown": return mrkdwn(block.text, names);
    default: return make("div", { class: "note" }, `(a ${block.type} block)`);
  }
}

function label(text) {
  return text ? text.text : "";
}

function options(element) {
  const groups = element.option_groups || [{ options: element.options || [] }];
  return groups.flatMap((group) => group.options).map((option) =>
    make("option", { value: option.value }, label(option.text)));
}

function elementOf(element, act) {
  if (element.type === "button") {
    const press = () => {
      const ask = element.confirm;
      if (ask && !window.confirm(`${label(ask.title)}\n\n${label(ask.text)}`)) return;
      if (element.url) window.open(element.url, "_blank", "noopener");
      act(element.action_id, element.value ?? null);
    };
    return make("button", { type: "button", class: element.style, "data-action": element.action_id, onclick: press },
      label(element.text));
  }
  if (["static_select", "overflow", "radio_buttons"].includes(element.type)) {
    const name = label(element.placeholder) || (element.type === "overflow" ? "More" : "Choose");
    const select = make("select", { "aria-label": name, "data-action": element.action_id },
      make("option", { value: "" }, name), options(element));
    if (element.initial_option) select.value = element.initial_option.value;
    select.addEventListener("change", () => {
      if (select.value) act(element.action_id, select.value);
    });
    return select;
  }
  return make("span", { class: "note" }, `(a ${element.type})`);
}

function inputOf(block) {
  const { element } = block;
  const common = { "data-input": element.action_id, "data-kind": element.type };
  let field;
  if (element.type === "plain_text_input") {
    const attributes = { ...common, placeholder: label(element.placeholder) || null, maxlength: element.max_length };
    field = element.multiline ? make("textarea", { ...attributes, rows: "4" }) : make("input", { ...attributes, type: "text" });
    field.value = element.initial_value || "";
  } else if (["static_select", "radio_buttons"].includes(element.type)) {
    field = make("select", common, block.optional && make("option", { value: "" }, "(none)"), options(element));
    if (element.initial_option) field.value = element.initial_option.value;
  } else if (["multi_static_select", "checkboxes"].includes(element.type)) {
    field = make("select", { ...common, multiple: true }, options(element));
    const chosen = new Set((element.initial_options || []).map((option) => option.value));
    for (const option of field.options) option.selected = chosen.has(option.value);
  } else {
    field = make("input", { ...common, type: "text" });
  }
  return make("label", { class: "field" }, label(block.label), field,
    block.hint && make("span", { class: "note" }, label(block.hint)),
    make("span", { class: "note", role: "alert", "data-error": block.block_id }));
}

export function entered(root) {
  const values = {};
  for (const field of root.querySelectorAll("[data-input]")) {
    const value = field.multiple ? [...field.selectedOptions].map((o) => o.value) : field.value;
    values[field.dataset.input] = value === "" ? null : value;
  }
  return values;
}
