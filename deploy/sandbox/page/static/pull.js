// The left side: a pull request with its diff, threads, checks and conversation.

import { byId, clock, make, redraw } from "./dom.js";
import { emoji, markdown } from "./markup.js";

const CONCLUSIONS = {
  success: "passed", failure: "failed", neutral: "neutral", skipped: "skipped",
  cancelled: "cancelled", timed_out: "timed out", action_required: "action required",
};

export function drawPull(pull, on) {
  redraw(byId("summary"), pull && summary(pull), (data) => (data ? heading(data) : nothing()));
  redraw(byId("checks"), pull ? pull.checks : [], (checks) => checks.map(checkOf));
  const drawFile = (file) => fileOf(file, on);
  redraw(byId("files"), pull ? pull.files : [], (files) => files.map(drawFile));
  redraw(byId("elsewhere"), pull ? pull.elsewhere : [], (threads) => threads.length && [
    make("h3", {}, "Threads on lines that have changed since"),
    threads.map((thread) => threadOf(thread, on)),
  ]);
  redraw(byId("conversation"), pull ? pull.conversation : [], (said) =>
    (said.length ? said.map(sayingOf) : make("p", { class: "empty" }, "Nothing has been said yet.")));
}

function summary({ key, title, body, author, state, head_ref, base_ref, head_sha }) {
  return { key, title, body, author, state, head_ref, base_ref, head_sha };
}

function nothing() {
  return make("p", { class: "empty" }, "There is no pull request yet.");
}

function heading(pull) {
  return [
    make("p", { class: "title" }, pull.title),
    make("p", { class: "meta" },
      make("span", { class: `badge ${pull.state}` }, pull.state),
      `${pull.author.login} wants to merge ${pull.head_ref} into ${pull.base_ref} at `,
      make("code", {}, pull.head_sha.slice(0, 7))),
    pull.body && markdown(pull.body),
  ];
}

function checkOf(check) {
  const done = check.status === "completed";
  const state = done ? check.conclusion : "waiting";
  const words = done ? CONCLUSIONS[check.conclusion] || check.conclusion : check.status.replace("_", " ");
  return make("article", { class: "card check", "data-check": check.id, "aria-label": `Check ${check.name}` },
    make("p", { class: "who" }, make("span", { class: `badge ${state}` }, words), check.name,
      check.title && make("span", { class: "when" }, check.title)),
    check.summary && markdown(check.summary));
}

function fileOf(file, on) {
  const byPosition = new Map();
  for (const thread of file.threads) {
    const place = thread.position ?? 0;
    byPosition.set(place, [...(byPosition.get(place) || []), thread]);
  }
  const talk = (place) => (byPosition.get(place) || []).map((thread) =>
    make("tr", { class: "talk" }, make("td", { colspan: "4" }, threadOf(thread, on))));
  const rows = file.rows.flatMap((row) => [rowOf(row), ...(row.position ? talk(row.position) : [])]);
  const name = file.previous_path ? `${file.previous_path} → ${file.path}` : file.path;
  return make("section", { class: "file", "data-path": file.path, "aria-label": file.path },
    make("h4", {}, name,
      make("span", { class: "plus" }, `+${file.additions}`),
      make("span", { class: "minus" }, `−${file.deletions}`)),
    make("table", { class: "diff" },
      make("caption", { class: "visually-hidden" }, `Changes of ${file.path}`),
      make("colgroup", {}, make("col", { class: "num" }), make("col", { class: "num" }),
        make("col", { class: "sign" }), make("col")),
      make("tbody", {}, talk(0), rows.length ? rows
        : make("tr", { class: "note" }, make("td", { colspan: "4" }, "No text to show.")))));
}

function rowOf(row) {
  if (row.kind === "hunk" || row.kind === "note") {
    return make("tr", { class: row.kind }, make("td", { colspan: "4" }, row.text));
  }
  const sign = { added: "+", removed: "−", context: "" }[row.kind];
  return make("tr", { class: row.kind, "data-line": row.new },
    make("td", { class: "n" }, row.old), make("td", { class: "n" }, row.new),
    make("td", { class: "s" }, sign), make("td", { class: "t" }, row.text));
}

function threadOf(thread, on) {
  const resolved = thread.resolved_by !== null;
  const state = resolved ? `Resolved by ${thread.resolved_by}` : thread.is_outdated ? "Outdated" : "Open";
  const where = thread.position === null && !thread.is_outdated ? "whole file" : `line ${thread.line}`;
  const title = `${state} · ${thread.path}, ${where}`;
  const comments = thread.comments.map(sayingOf);
  const foot = make("div", { class: "foot" },
    make("button", { type: "button", class: "plain", onclick: () => on.reply(thread) }, "Reply"),
    make("button", { type: "button", class: "plain", onclick: () => on.resolve(thread, !resolved) },
      resolved ? "Reopen" : "Resolve"));
  if (resolved || thread.is_outdated) {
    return make("details", { class: "thread is-resolved", "data-thread": thread.id },
      make("summary", {}, title), comments, foot);
  }
  return make("div", { class: "thread", "data-thread": thread.id },
    make("div", { class: "head" }, title), comments, foot);
}

function sayingOf(entry) {
  const verb = { APPROVED: "approved", CHANGES_REQUESTED: "requested changes", COMMENTED: "reviewed" }[entry.kind];
  return make("article", { class: `card arrived${entry.author.is_bot ? " bot" : ""}`, "data-saying": entry.id },
    make("p", { class: "who" }, entry.author.login,
      entry.author.is_bot && make("span", { class: "badge bot" }, "bot"),
      make("span", { class: "when" }, [verb, clock(entry.at)].filter(Boolean).join(" · "))),
    entry.minimized ? make("p", { class: "note" }, `Hidden as ${entry.minimized}`) : markdown(entry.body),
    entry.reactions.length > 0 && make("div", { class: "reactions" }, entry.reactions.map((r) =>
      make("span", { class: "reaction" }, `${emoji(r.name)} ${r.count}`))));
}
