"use strict";
// What the scripts of the pages of a run, a campaign and an index share: words, text that is not trusted, elements, help, copying.
// The script of a page follows in the same element, adds its words and draws.

// ---------------------------------------------------------------- words
// All words in both languages. Names and texts of cards and programs in a run are never translated; faults and verdicts come
// with a Japanese text of their own.
// `{x}` is filled in; `one|many` is chosen by `n`.
const WORDS = {
  seed: ["seed {n}", "シード {n}"],
  language: ["日本語", "English"],
  languageHelp: ["日本語で表示", "Show in English"],
  help: ["Keys", "キー操作"],
  print: ["Print", "印刷"],
  reproduce: ["Reproduce", "再現"],
  copy: ["Copy", "コピー"],
  copied: ["Copied", "コピーしました"],
  broken: ["The run in this file cannot be read.", "このファイルの実行データを読めません。"],
  newer: ["This page is of an older TapSim than its data (format {n}).", "このデータ（形式 {n}）は、このページより新しい TapSim で作られています。"],
  close: ["Close", "閉じる"],
  keysSearch: ["search", "検索"],
  keysHelp: ["this list", "この一覧"],
  warnings: ["Warnings", "警告"],
  fault: ["fault", "障害"],
  cut: ["… {n} more", "… ほか {n}"],
};
let language = 0;

function word(key, values = {}) {
  let text = WORDS[key] ? WORDS[key][language] : key;
  if (text.includes("|")) text = text.split("|")[values.n === 1 ? 0 : 1];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? str(values[name]) : whole));
}

/** The words with the values as elements of their own, so data never mixes with the sentence around it. */
function sentence(key, values) {
  return WORDS[key][language].split(/(\{\w+\})/).map(part => {
    const name = part.startsWith("{") ? part.slice(1, -1) : null;
    if (name === null || !(name in values)) return part;
    if (values[name] instanceof Plain) return values[name].text;
    return h("code", {}, Array.isArray(values[name]) ? values[name] : str(values[name]));
  });
}
class Plain { constructor(text) { this.text = text; } }

// ---------------------------------------------------------------- text that nobody trusts
// Control, bidirectional and invisible characters are shown, not obeyed: data may come from a hostile card or program.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

// Names, since the pictures of control characters are missing in many fonts.
const CONTROLS = ("NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC "
  + "FS GS RS US").split(" ");

function seen(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) return "\u2039" + CONTROLS[code] + "\u203a";
  return "\u2039U+" + code.toString(16).toUpperCase().padStart(4, "0") + "\u203a";
}
const visible = text => str(text).replace(UNSEEN, seen);

function str(value) {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
const list = value => (Array.isArray(value) ? value.filter(item => item !== null && item !== undefined) : []);
const dict = value => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const num = (value, otherwise = 0) => (Number.isFinite(value) ? value : otherwise);
const short = (text, limit = 400) => (str(text).length > limit ? str(text).slice(0, limit) + "\u2026" : str(text));

// ---------------------------------------------------------------- elements
function put(parent, text) {
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > from) parent.append(text.slice(from, match.index));
    const mark = document.createElement("span");
    mark.className = "unseeable";
    mark.textContent = seen(match[0]);
    parent.append(mark);
    from = match.index + match[0].length;
  }
  if (from < text.length) parent.append(text.slice(from));
}

function fill(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    if (child instanceof Node) parent.append(child); else put(parent, str(child));
  }
  return parent;
}

function setUp(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "data-tip") element.setAttribute(name, str(value).split("\n").map(visible).join("\n"));
    else element.setAttribute(name, value === true ? "" : visible(value));
  }
  return element;
}
const h = (tag, properties, ...children) => fill(setUp(document.createElement(tag), properties), children);
const svg = (tag, properties, ...children) =>
  fill(setUp(document.createElementNS("http://www.w3.org/2000/svg", tag), properties), children);
const byId = id => document.getElementById(id);

function button(label, action, properties = {}) {
  return h("button", {type: "button", click: action, ...properties}, label);
}

/** The head of a column of numbers. */
class Numeric { constructor(text) { this.text = text; } }

function table(className, heads, rows) {
  return h("table", {class: className},
    heads && h("thead", {}, h("tr", {}, heads.map(head => (head instanceof Numeric ? h("th", {scope: "col", class: "num"}, head.text) : h("th", {scope: "col"}, head))))), h("tbody", {}, rows));
}

/** A path below this page's folder or beside it; `null` for everything else, so that no run can name an address. */
function address(path) {
  if (!path || path.startsWith("/")) return null;
  try { return path.split("/").map(encodeURIComponent).join("/"); } catch { return null; }
}

// ---------------------------------------------------------------- buttons and help
function reproduceLine(command) {
  return [
    h("span", {class: "label"}, word("reproduce")),
    h("code", {id: "reproduce", tabindex: "0"}, command),
    button(word("copy"), event => copy(command, event.currentTarget), {id: "copy"})];
}

async function copy(text, from) {
  try { await navigator.clipboard.writeText(text); } catch {
    const area = h("textarea", {class: "unseen"});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    from.focus();
  }
  from.textContent = word("copied");
  say(word("copied"));
  setTimeout(() => { from.textContent = word("copy"); }, 2000);
}
const say = text => { byId("said").textContent = visible(text); };

/** The buttons that every page has in its head; `redraw` draws the page in another language. */
function pageButtons(keys, redraw) {
  return [
    button(word("help") + " ?", () => openHelp(keys), {id: "help-button", "aria-haspopup": "dialog"}),
    button(word("print"), () => window.print(), {id: "print-button"}),
    button(word("language"), () => switchLanguage(redraw), {id: "language", lang: language ? "en" : "ja", title: word("languageHelp")})];
}

function openHelp(keys) {
  const dialog = h("dialog", {id: "help", "aria-labelledby": "help-title", close: event => event.target.remove()},
    h("h2", {id: "help-title"}, word("help")),
    table("keys", null, keys.map(([names, label]) => h("tr", {}, h("td", {}, names.split(" ").map(key => [h("kbd", {}, key), " "])), h("td", {}, word(label))))),
    button(word("close"), () => dialog.close(), {class: "primary"}));
  if (byId("help")) return;
  document.body.append(dialog);
  dialog.showModal();
}

function showTip(event) {
  const target = event.target.closest && event.target.closest("[data-tip]");
  byId("tip").hidden = !target;
  if (target) tipAt(target, target.dataset.tip.split("\n"));
}

function tipAt(target, lines) {
  const tip = byId("tip");
  tip.hidden = false;
  tip.replaceChildren(...lines.map(line => h("div", {}, line)));
  const box = target.getClientRects()[0] || target.getBoundingClientRect();
  tip.style.left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = (box.top - tip.offsetHeight - 6 > 0 ? box.top - tip.offsetHeight - 6 : box.bottom + 6) + "px";
}

// ---------------------------------------------------------------- language and data
function setLanguage(number) {
  language = number;
  document.documentElement.lang = language ? "ja" : "en";
}

function switchLanguage(redraw) {
  setLanguage(1 - language);
  try { localStorage.setItem("tapsim-language", language ? "ja" : "en"); } catch { /* a page from disk may have no storage */ }
  redraw();
  byId("language").focus();
}

function firstLanguage() {
  let chosen = null;
  try { chosen = localStorage.getItem("tapsim-language"); } catch { /* as above */ }
  return (chosen || navigator.language || "en").toLowerCase().startsWith("ja") ? 1 : 0;
}

/** What the page is to show; `null` where it cannot be read, which the page then says. */
function readRun() {
  setLanguage(firstLanguage());
  let run = null;
  try { run = JSON.parse(byId("run").textContent); } catch { /* said below */ }
  if (!run || typeof run !== "object" || Array.isArray(run)) return fail("broken");
  if (num(run.v, 1) > 1) return fail("newer", {n: run.v});
  return run;
}

function fail(key, values) {
  byId("app").replaceChildren(h("section", {class: "verdict is-bad"}, h("h1", {}, word(key, values)), h("p", {}, word("brokenHint"))));
  return null;
}
