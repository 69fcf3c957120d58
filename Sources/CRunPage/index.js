// The index of a run: the verdict of each case, what its client printed, and a link to its page.
//
// It reads {"v": 1, "tapsim": "…", "cases": […]}, in the order of the run, each case as
//   {"scenario": "kiosk", "title": "…", "file": "kiosk.yaml", "seed": 1, "number": 1, "name": "…", "passed": true, "page": "kiosk-1/trace.html",
//    "card_time": 41000000, "failures": ["…"], "more": 0, "stdout": "…", "stderr": "…", "again": "tapsim run …"}
// A skipped case has no `passed`, and a case whose page was not kept no `page`. `more` counts the failures that are left out.
(() => {
  // ---------------------------------------------------------------- words
  Object.assign(WORDS, {
    index: ["Run", "実行"],
    failed: ["Failed", "失敗"],
    passed: ["Passed", "成功"],
    skipped: ["Skipped", "スキップ"],
    counts: ["{n} of {all} passed.", "{all} 件中 {n} 件が成功しました。"],
    skippedCount: ["{n} case was skipped.|{n} cases were skipped.", "{n} 件はスキップされました。"],
    caseNumber: ["Case {n}", "ケース {n}"],
    cardTime: ["{n} ms card time", "カード時間 {n} ms"],
    open: ["Open the page of the case", "このケースのページを開く"],
    noPage: ["No page of this case was kept; run it again to see it.", "このケースのページは保存されていません。再実行すると見られます。"],
    printed: ["What the client printed", "クライアントの出力"],
    brokenHint: ["The file may have been cut off or edited; make it again with tapsim run.", "ファイルが途中で切れたか、編集された可能性があります。tapsim run で作り直してください。"],
  });
  const KEYS = [["?", "keysHelp"]];
  let data = null;
  let cases = [];

  // ---------------------------------------------------------------- parts
  const stateOf = item => (item.passed === true ? "passed" : item.passed === false ? "failed" : "skipped");
  const MARKS = {passed: ["\u2713", "ok"], failed: ["\u2715", "bad"], skipped: ["\u2013", "silent"]};
  const mark = state => h("span", {class: "mark " + MARKS[state][1], role: "img", "aria-label": word(state)}, MARKS[state][0]);
  const nameOf = item => [short(item.scenario, 90), item.name === undefined ? "" : short(item.name, 90)].filter(Boolean).join(": ");

  function summary() {
    const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(state => cases.filter(item => stateOf(item) === state));
    const state = failed.length ? "failed" : "passed";
    return h("section", {class: "verdict " + (failed.length ? "is-bad" : "is-ok")},
      h("div", {class: "story"},
        h("p", {class: "what-case"}, h("span", {class: "badge " + MARKS[state][1]}, MARKS[state][0] + " " + word(state))),
        h("h1", {}, word("counts", {n: passed.length, all: passed.length + failed.length})),
        skipped.length > 0 && h("p", {class: "then"}, word("skippedCount", {n: skipped.length}))),
      h("div", {class: "facts"}, cases.length > 1 && failed.length > 0 && h("ul", {class: "cases-list"}, failed.map(item => h("li", {},
        mark("failed"), h("a", {href: "#case-" + cases.indexOf(item)}, nameOf(item)))))));
  }

  function caseView(item, index) {
    const state = stateOf(item);
    const href = address(str(item.page));
    return h("section", {class: "case", id: "case-" + index},
      h("h2", {}, mark(state), h("span", {}, nameOf(item))),
      item.title !== undefined && h("p", {}, short(item.title, 500)),
      h("p", {class: "dim"}, [short(item.file, 120), word("caseNumber", {n: item.number}), word("seed", {n: item.seed}),
        state !== "skipped" && word("cardTime", {n: Math.round(num(item.card_time) / 1e6)})].filter(Boolean).join("  \u00b7  ")),
      state === "failed" && h("ul", {class: "notices"},
        list(item.failures).map(text => h("li", {}, h("span", {class: "mark bad", "aria-hidden": "true"}, "\u2715"), h("span", {}, short(text, 500)))),
        num(item.more) > 0 && h("li", {}, word("cut", {n: item.more}))),
      printed(item, state === "failed"),
      href && h("p", {}, h("a", {href}, word("open"))),
      !href && state !== "skipped" && h("p", {class: "dim"}, word("noPage")),
      state === "failed" && h("p", {class: "dim"}, word("again") + ": ", h("code", {}, str(item.again))));
  }

  function printed(item, isOpen) {
    const streams = [item.stdout, item.stderr].map(str).filter(Boolean);
    if (!streams.length) return null;
    return h("details", {class: "folded", open: isOpen}, h("summary", {}, word("printed")),
      streams.map(text => h("pre", {class: "printed-text"}, text.replace(/\n$/, "").split("\n").map(line => h("div", {}, line || " ")))));
  }

  // ---------------------------------------------------------------- start
  function redraw() {
    document.title = visible(`${word(cases.some(item => stateOf(item) === "failed") ? "failed" : "passed")}: ${cases.length === 1 ? nameOf(cases[0]) : word("index")} \u2013 TapSim`);
    byId("app").replaceChildren(
      h("header", {class: "bar"}, h("span", {class: "brand", title: "TapSim " + short(data.tapsim, 40)}, "TapSim"),
        h("span", {class: "crumb grow"}, word("index")), pageButtons(KEYS, redraw)),
      summary(), h("main", {id: "cases"}, cases.map(caseView)));
  }

  data = readRun();
  if (!data) return;
  cases = list(data.cases).map(dict);
  redraw();
  document.addEventListener("keydown", event => {
    if (event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey) openHelp(KEYS);
  });
})();
