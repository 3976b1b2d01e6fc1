// The right side: a channel with threads, the App Home, and the modal on screen.

import { blocksOf, entered } from "./blocks.js";
import { byId, clock, face, make, redraw } from "./dom.js";
import { emoji, mrkdwn } from "./markup.js";

export const HOME = "home";

export function drawChannel(state, on) {
  const { channel, names } = state;
  const scroll = byId("chat-scroll");
  const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 80;
  const changed = redraw(byId("messages"), { channel, names }, () => (channel.messages.length
    ? channel.messages.map((message) => threadOf(message, names, channel.id, on))
    : make("p", { class: "empty" }, isTaught(channel)
      ? "Nobody has written here yet. Teach a rule below, then ask for a review of the pull request."
      : "Nobody has written here yet. Here I list and answer; rules are taught in a channel.")));
  if (changed && atEnd) scroll.scrollTop = scroll.scrollHeight;
}

// Direct messages have ids that begin with D.
const isTaught = (channel) => channel.id.startsWith("C");

export function drawHome(state, on) {
  redraw(byId("messages"), { home: state.home, names: state.names }, () => (state.home
    ? blocksOf(state.home.blocks, state.names, (action, value) => on.clickInView(state.home.id, action, value))
    : make("p", { class: "empty" }, "The App Home has not been published for this person yet.")));
}

function threadOf(message, names, channel, on) {
  const replies = message.replies || [];
  return make("div", { class: "talk-thread", "data-thread-ts": message.ts },
    messageOf(message, names, channel, on, !message.is_ephemeral),
    replies.length > 0 && make("div", { class: "replies" },
      replies.map((reply) => messageOf(reply, names, channel, on, false))));
}

function messageOf(message, names, channel, on, canReply) {
  const who = names.users[message.user] || { name: message.user || "someone", is_bot: false };
  const act = (action, value) => on.click(channel, message.ts, action, value);
  return make("article", {
    class: `message arrived${message.is_ephemeral ? " ephemeral" : ""}`,
    "data-ts": message.ts,
    "data-author": who.name,
  },
    face(who.name, who.is_bot),
    make("div", {},
      make("p", { class: "who" }, who.name, who.is_bot && make("span", { class: "when" }, "app"),
        make("span", { class: "when" }, clock(Number(message.ts))),
        message.edited && make("span", { class: "when" }, "(edited)")),
      message.is_ephemeral && make("p", { class: "note" }, "Only visible to you"),
      message.blocks ? blocksOf(message.blocks, names, act) : mrkdwn(message.text || "", names),
      message.reactions && make("div", { class: "reactions" }, message.reactions.map((r) =>
        make("span", { class: "reaction" }, `${emoji(r.name)} ${r.count}`))),
      canReply && make("button", { type: "button", class: "plain", onclick: () => on.replyTo(message, who.name) },
        "Reply in thread")));
}

let shown = null;
export function drawModal(view, names, on) {
  const dialog = byId("modal");
  if (!view) {
    shown = null;
    if (dialog.open) dialog.close();
    return;
  }
  if (shown !== `${view.id} ${view.hash}`) {
    shown = `${view.id} ${view.hash}`;
    byId("modal-title").textContent = view.title.text;
    byId("modal-body").replaceChildren(
      blocksOf(view.blocks, names, (action, value) => on.clickInView(view.id, action, value)));
    byId("modal-close").textContent = view.close ? view.close.text : "Close";
    byId("modal-submit").hidden = !view.submit;
    if (view.submit) byId("modal-submit").textContent = view.submit.text;
  }
  dialog.dataset.view = view.id;
  if (!dialog.open) dialog.showModal();
}

export function modalValues() {
  return entered(byId("modal-body"));
}

export function showErrors(errors) {
  for (const place of byId("modal-body").querySelectorAll("[data-error]")) {
    place.textContent = errors[place.dataset.error] || "";
  }
}
