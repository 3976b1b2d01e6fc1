// Slack's mrkdwn and GitHub's Markdown, as far as a bot writes them, to elements.

import { make } from "./dom.js";

const EMOJI = {
  eyes: "👀", white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", warning: "⚠️", bulb: "💡",
  thumbsup: "👍", "+1": "👍", "-1": "👎", wave: "👋", memo: "📝", tada: "🎉", pushpin: "📌",
  question: "❓", information_source: "ℹ️", hourglass_flowing_sand: "⏳", heart: "❤️",
  rocket: "🚀", laugh: "😄", hooray: "🎉", confused: "😕", lock: "🔒", no_entry: "⛔",
};
const REACTIONS = { "+1": "👍", "-1": "👎" };

export function emoji(name) {
  return EMOJI[name] || REACTIONS[name] || `:${name}:`;
}

function unescaped(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function link(url, label) {
  const safe = /^(https?:|mailto:)/i.test(url);
  return safe ? make("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, label) : label;
}

// A list of [pattern, build(match)] applied to text; the earliest match wins, the rest is text.
function inline(text, rules, plain) {
  const parts = [];
  let rest = text;
  while (rest) {
    let best = null;
    for (const [pattern, build] of rules) {
      const match = pattern.exec(rest);
      if (match && (best === null || match.index < best.match.index)) best = { match, build };
    }
    if (best === null) break;
    if (best.match.index) parts.push(plain(rest.slice(0, best.match.index)));
    parts.push(best.build(best.match));
    rest = rest.slice(best.match.index + best.match[0].length);
  }
  if (rest) parts.push(plain(rest));
  return parts;
}

// Fenced code first, then lines: quotes, lists, headings and paragraphs.
function blocks(text, say, { headings }) {
  const out = [];
  text.split(/(```[\s\S]*?(?:```|$))/).forEach((part) => {
    if (part.startsWith("```")) {
      const code = part.replace(/^```[^\S\n]*[\w+.-]*\n|^```/, "").replace(/\n?```$/, "");
      if (part.startsWith("```suggestion")) out.push(make("p", { class: "note" }, "Suggested change"));
      out.push(make("pre", { tabindex: "0" }, make("code", {}, say.code(code))));
      return;
    }
    let list = null;
    let quote = null;
    for (const line of part.split("\n")) {
      const item = /^\s*(?:([-*•])|(\d+)[.)])\s+(.*)$/.exec(line);
      const quoted = /^(?:>|&gt;)\s?(.*)$/.exec(line);
      const heading = headings && /^#{1,6}\s+(.*)$/.exec(line);
      if (!item) list = null;
      if (!quoted) quote = null;
      if (item) {
        if (!list) out.push((list = make(item[2] ? "ol" : "ul")));
        list.append(make("li", {}, say.words(item[3])));
      } else if (quoted) {
        if (!quote) out.push((quote = make("blockquote")));
        quote.append(make("div", {}, say.words(quoted[1])));
      } else if (heading) {
        out.push(make("h4", {}, say.words(heading[1])));
      } else if (line.trim()) {
        out.push(make("p", {}, say.words(line)));
      }
    }
  });
  return make("div", { class: "words" }, out);
}

export function mrkdwn(text, names) {
  const user = (id) => names.users[id]?.name ?? id;
  const rules = [
    [/`([^`\n]+)`/, (m) => make("code", {}, unescaped(m[1]))],
    [/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/, (m) => make("span", { class: "mention" }, `@${user(m[1])}`)],
    [/<#([CG][A-Z0-9]+)(?:\|([^>]*))?>/, (m) =>
      make("span", { class: "mention" }, `#${m[2] || names.channels[m[1]] || m[1]}`)],
    [/<!(here|channel|everyone)(?:\|[^>]*)?>/, (m) => make("span", { class: "mention" }, `@${m[1]}`)],
    [/<!date\^[^|>]*\|([^>]*)>/, (m) => unescaped(m[1])],
    [/<([a-z]+:[^|>\s]+)(?:\|([^>]*))?>/i, (m) => link(unescaped(m[1]), unescaped(m[2] || m[1]))],
    [/(?<![\w*])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![\w*])/, (m) => make("strong", {}, words(m[1]))],
    [/(?<![\w_])_(?!\s)([^_\n]+?)(?<!\s)_(?![\w_])/, (m) => make("em", {}, words(m[1]))],
    [/(?<![\w~])~(?!\s)([^~\n]+?)(?<!\s)~(?![\w~])/, (m) => make("s", {}, words(m[1]))],
    [/:([a-z0-9_+-]+):/, (m) => emoji(m[1])],
  ];
  function words(part) {
    return inline(part, rules, unescaped);
  }
  return blocks(text, { words, code: unescaped }, { headings: false });
}

export function markdown(text) {
  const visible = text.replace(/<!--[\s\S]*?-->/g, "").replace(/<\/?(?:sub|sup|details|summary|b|i|br)\s*\/?>/gi, "").trim();
  const rules = [
    [/`([^`\n]+)`/, (m) => make("code", {}, m[1])],
    [/\[([^\]\n]*)\]\(([^)\s]+)\)/, (m) => link(m[2], m[1])],
    [/https?:\/\/[^\s<>)]+[^\s<>).,;:]/, (m) => link(m[0], m[0])],
    [/\*\*([^*\n]+)\*\*/, (m) => make("strong", {}, words(m[1]))],
    [/(?<![\w*])\*([^*\n]+)\*(?![\w*])/, (m) => make("em", {}, words(m[1]))],
    [/(?<![\w_])_([^_\n]+)_(?![\w_])/, (m) => make("em", {}, words(m[1]))],
    [/(?<![\w@/.])@[A-Za-z][\w-]*/, (m) => make("span", { class: "mention" }, m[0])],
    [/:([a-z0-9_+-]+):/, (m) => emoji(m[1])],
  ];
  function words(part) {
    return inline(part, rules, (plain) => plain.replace(/\\([\\`*_{}[\]()#+\-.!<>@])/g, "$1"));
  }
  return blocks(visible, { words, code: (code) => code }, { headings: true });
}
