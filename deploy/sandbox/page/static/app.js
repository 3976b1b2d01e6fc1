// State, polling and what the person does. Nothing here knows how things are drawn.

import { drawChannel, drawHome, drawModal, HOME, modalValues, showErrors } from "./chat.js";
import { byId, choices, make, problem } from "./dom.js";
import { drawPull } from "./pull.js";

const EVERY_MS = 1000;
const chosen = { person: "", pull: "", channel: "", thread: null, reviewThread: null };
let state = null;
let tag = null;
let timer = null;

async function act(name, wish) {
  try {
    const answer = await fetch(`/_sandbox/ui/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ person: chosen.person, ...wish }),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error || `The sandbox answered ${answer.status}.`);
    refresh();
    return body;
  } catch (error) {
    problem(error.message);
    return null;
  }
}

const asks = {
  reply: (thread) => aim("reviewThread", thread, "comment", `Replying on ${thread.path}, line ${thread.line}`),
  resolve: (thread, resolved) => act("resolve", { pull: chosen.pull, thread_id: thread.id, resolved }),
  click: (channel, ts, action_id, value) => act("click", { channel, ts, action_id, value }),
  clickInView: (view_id, action_id, value) => act("click_in_view", { view_id, action_id, value }),
  replyTo: (message, name) => aim("thread", message.thread_ts || message.ts, "say", `Replying in ${name}'s thread`),
};

// Points a composer at a thread, or with null back at the whole conversation.
function aim(what, target, composer, words) {
  chosen[what] = target;
  const place = byId(`${composer}-target`);
  place.hidden = target === null;
  if (target === null) return;
  place.replaceChildren(words,
    make("button", { type: "button", class: "plain", onclick: () => aim(what, null, composer) }, "Cancel"));
  byId(`${composer}-text`).focus();
}

async function refresh() {
  clearTimeout(timer);
  const asked = { person: chosen.person, pull: chosen.pull, channel: chosen.channel };
  const query = new URLSearchParams(asked);
  try {
    const answer = await fetch(`/_sandbox/ui/state?${query}`, { headers: tag ? { "If-None-Match": tag } : {} });
    const isCurrent = Object.keys(asked).every((name) => asked[name] === chosen[name]);
    if (answer.status === 200 && isCurrent) {
      tag = answer.headers.get("ETag");
      state = await answer.json();
      draw();
    } else if (answer.status >= 400) {
      throw new Error(`The sandbox answered ${answer.status}.`);
    }
    live("live", "live");
  } catch {
    live("lost", "no connection");
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, document.hidden ? 5 * EVERY_MS : EVERY_MS);
}

function live(name, words) {
  const place = byId("live");
  if (place.dataset.state === name) return;
  place.dataset.state = name;
  place.textContent = words;
}

function draw() {
  chosen.person = choices(byId("person"), state.people.map((p) => ({ value: p.name, label: p.name })), state.person);
  const roles = Object.entries(state.people.find((p) => p.name === chosen.person)?.roles || {});
  byId("roles").textContent = roles.map(([name, role]) => `${name}: ${role}`).join(" · ");
  const pulls = state.pulls.map((p) => ({ value: p.key, label: `${p.key} ${p.title} (${p.state})` }));
  chosen.pull = choices(byId("pull"), pulls, state.pull ? state.pull.key : "");
  byId("ask").disabled = !state.pull;
  const isHome = chosen.channel === HOME;
  const channels = [...state.channels.map((c) => ({ value: c.id, label: c.name })), { value: HOME, label: "App Home" }];
  chosen.channel = choices(byId("channel"), channels, isHome ? HOME : state.channel.id);
  drawPull(state.pull, asks);
  drawFileList();
  byId("say-form").hidden = isHome;
  if (isHome) drawHome(state, asks);
  else drawChannel(state, asks);
  drawModal(state.modal, state.names, asks);
}

function drawFileList() {
  const files = (state.pull ? state.pull.files : []).filter((file) => file.status !== "removed");
  const select = byId("push-path");
  const before = `${select.dataset.pull} ${select.value}`;
  choices(select, files.map((file) => ({ value: file.path, label: file.path })), select.value);
  select.dataset.pull = chosen.pull;
  if (before !== `${chosen.pull} ${select.value}`) readFile();
}

async function readFile() {
  const path = byId("push-path").value;
  if (!path) return;
  const query = new URLSearchParams({ pull: chosen.pull, path });
  const answer = await fetch(`/_sandbox/ui/file?${query}`);
  const body = await answer.json();
  if (!answer.ok) problem(body.error);
  else if (byId("push-path").value === path) byId("push-content").value = body.content;
}

function choose(name, value) {
  chosen[name] = value;
  tag = null;
  refresh();
}

async function say(event) {
  event.preventDefault();
  const field = byId("say-text");
  const text = field.value;
  if (!text.trim()) return;
  field.value = "";
  const done = await act("say", { channel: chosen.channel, text, thread_ts: chosen.thread });
  if (done === null) field.value = text;
}

async function comment(event) {
  event.preventDefault();
  const field = byId("comment-text");
  if (!field.value.trim()) return;
  const thread_id = chosen.reviewThread ? chosen.reviewThread.id : null;
  const done = await act("comment", { pull: chosen.pull, body: field.value, thread_id });
  if (done === null) return;
  field.value = "";
  aim("reviewThread", null, "comment");
}

async function submitModal(event) {
  event.preventDefault();
  const done = await act("submit_view", { view_id: byId("modal").dataset.view, values: modalValues() });
  if (done) showErrors(done.errors);
}

function closeModal(event) {
  event.preventDefault();
  act("close_view", { view_id: byId("modal").dataset.view });
}

function sendOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

byId("person").addEventListener("change", (event) => choose("person", event.target.value));
byId("pull").addEventListener("change", (event) => {
  aim("reviewThread", null, "comment");
  choose("pull", event.target.value);
});
byId("channel").addEventListener("change", (event) => {
  aim("thread", null, "say");
  choose("channel", event.target.value);
  if (event.target.value === HOME) act("open_home", {});
});
byId("ask").addEventListener("click", () => act("comment", { pull: chosen.pull, body: `@${state.handle} review` }));
byId("say-form").addEventListener("submit", say);
byId("say-text").addEventListener("keydown", sendOnEnter);
byId("comment-form").addEventListener("submit", comment);
byId("push-form").addEventListener("submit", (event) => {
  event.preventDefault();
  act("push", { pull: chosen.pull, path: byId("push-path").value, content: byId("push-content").value });
});
byId("push-path").addEventListener("change", readFile);
byId("push-reload").addEventListener("click", readFile);
byId("modal-form").addEventListener("submit", submitModal);
byId("modal-close").addEventListener("click", closeModal);
byId("modal").addEventListener("cancel", closeModal);
document.addEventListener("visibilitychange", () => document.hidden || refresh());
refresh();
