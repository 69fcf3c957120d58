// The page of a campaign: every fault at every place as a grid of letters, and what was found.
//
// It reads {"v": 1, "tapsim": "…", "cases": […]}, each case as `tapsim fuzz --json` prints it, and in a case also
//   exchanges  [{"n": 1, "is": "Polling 0003"}, …] of the baseline run
//   letters    [{"letter": "W", "verdict": "wrong result", "ok": false, "summary": "…", "gloss": "…"}, …], the gloss in Japanese
//   summaries  {"rf.silence": "The answer does not arrive.", …}, by the name of a fault without its parameters
//   glosses    {"rf.silence": "応答が届かない", …}, the same in Japanese
//   reproduce  ["tapsim fuzz a.yaml --only ", ""]: the command of a run, before and after its name
//   not_run    [{"fault": "rf.silence", "exchanges": "4, 7 to 9", "calls": "2"}, …], if the campaign ended early by what `stopped` beside `cases` says
// and in a run `page`, the relative path of its own page, and `reproduce`, if the command is not made from that of the case.
// `letters`, `summaries` and `glosses` may be next to `cases`, for all of them. So that large campaigns stay small, a number in a
// run is an index: as `fault` in `faults`, as `verdict` in `letters`, as `reason`, `cause`, `page` or `reproduce` in `texts` beside `cases`.
(() => {
  // ---------------------------------------------------------------- words
  Object.assign(WORDS, {
    campaign: ["Campaign", "キャンペーン"],
    hasFindings: ["Findings", "問題あり"],
    noFindings: ["No findings", "問題なし"],
    found: ["{n} cause of findings in {runs}: {kinds}.|{n} causes of findings in {runs}: {kinds}.", "{runs}で、問題の原因が {n} 件見つかりました: {kinds}。"],
    endedBy: ["{n} of {runs}, ended by {stop}", "{runs}のうち {n} 回（{stop} で終了）"],
    anInterrupt: ["an interrupt", "中断"],
    foundNone: ["No findings: every fault ended in a correct result or a clear error.", "問題なし: どの障害でも、正しい結果か明確なエラーで終わりました。"],
    foundSoFar: ["No findings in {runs}.", "{runs}では、問題は見つかっていません。"],
    foundClean: ["The program has findings without any fault.", "障害がなくても、プログラムに問題があります。"],
    foundNoRuns: ["Nothing was run: no fault fits this program here.", "実行なし: このプログラムに適用できる障害がありません。"],
    foundUnreached: ["No findings, but no run reached its fault.", "問題なし。ただし、障害の起きた実行は一つもありません。"],
    runs: ["{count} run|{count} runs", "{count} 回の実行"],
    ofFaults: ["{n} fault|{n} faults", "{n} 種類の障害"],
    atPlaces: ["{n} place|{n} places", "{n} か所"],
    alsoClean: ["There are findings without any fault as well.", "障害がなくても問題があります。"],
    scope: ["{runs} with {faults} at {places}.", "{faults}、{places}、{runs}。"],
    unreachedRuns: ["{count} run did not reach its fault.|{count} runs did not reach their faults.", "{count} 回は、障害が起きる前に終わりました。"],
    cleanFindings: ["Without any fault", "障害なしで起きた問題"],
    atExchange: ["at exchange {n}", "通信 {n}"],
    exchanges: ["Exchanges", "通信"],
    calls: ["Calls of PC/SC", "PC/SC の呼び出し"],
    phone: ["The phone", "スマートフォン"],
    grid: ["{faults} at {places}", "{places}での{faults}"],
    exchangeN: ["exchange {n}", "通信 {n}"],
    callN: ["call {n}", "呼び出し {n}"],
    phoneN: ["event {n} of the phone", "スマートフォンのイベント {n}"],
    blank: ["blank: cannot be injected there", "空白: その障害を起こせない場所"],
    search: ["Faults by name", "障害の名前で絞り込み"],
    only: ["Only findings", "問題のみ"],
    rows: ["{count} row|{count} rows", "{count} 行"],
    ofRows: ["{n} of {all}", "{n} / {all}"],
    noRows: ["Nothing matches.", "一致するものはありません。"],
    details: ["Selected run", "選択中の実行"],
    noneSelected: ["Select a cell of the grid.", "表のマスを選んでください。"],
    place: ["place", "場所"],
    verdict: ["verdict", "判定"],
    lookAt: ["look at", "確認箇所"],
    readBack: ["card read back", "カードの読み直し"],
    combinations: ["Combinations of faults", "障害の組み合わせ"],
    openFinding: ["Open what is kept of it", "保存したトレースを開く"],
    openTrace: ["Open its trace", "この実行のトレースを開く"],
    noRun: ["The campaign ended before this run.", "この実行の前にキャンペーンが終わりました。"],
    noTrace: ["No trace of this run was kept; run it again to see it.", "この実行のトレースは保存されていません。再実行すると見られます。"],
    findings: ["What was found", "見つかった問題"],
    times: ["{count} times", "{count} 回"],
    known: ["known", "既知"],
    moreReasons: ["Show {count} more", "ほか {count} 件を表示"],
    morePlaces: ["and {count} more", "ほか {count} か所"],
    neverReached: ["Faults that were never reached", "一度も起きなかった障害"],
    readBacks: ["Cards read back after faults of memory", "メモリの障害のあとに読み直したカード"],
    backOld: ["as before the run", "実行前と同じ"],
    backNew: ["as after the baseline run", "基準実行のあとと同じ"],
    backOther: ["something else", "どちらとも違う"],
    backUnreadable: ["unreadable", "読めない"],
    places: ["What happens at each place", "各場所の内容"],
    vCorrect: ["correct", "正しい結果"],
    vClearError: ["clear error", "明確なエラー"],
    vCrash: ["crash", "クラッシュ"],
    vHang: ["hang", "ハング"],
    vLivelock: ["livelock", "ライブロック"],
    vWrong: ["wrong result", "誤った結果"],
    vLoss: ["silent loss", "無言の欠落"],
    vSafety: ["safety", "危険な操作"],
    vMisuse: ["protocol misuse", "プロトコル違反"],
    vLeak: ["leak", "解放漏れ"],
    vFlaky: ["flaky", "不安定"],
    vUnreached: ["not reached", "未到達"],
    vNotRun: ["not run", "未実行"],
    brokenHint: ["The file may have been cut off or edited; make it again with tapsim fuzz.", "ファイルが途中で切れたか、編集された可能性があります。tapsim fuzz で作り直してください。"],
    keysMove: ["move in the grid", "表の中を移動"],
    keysEnds: ["first, last cell of the row", "行の最初、最後のマス"],
    keysOpen: ["open the trace of the cell", "マスのトレースを開く"],
    keysFinding: ["next finding (with Shift: previous)", "次の問題（Shift で前）"],
    keysOnly: ["only findings, or everything", "問題のみ、またはすべて"],
    keysCopy: ["copy the command", "コマンドをコピー"],
  });

  // ---------------------------------------------------------------- model
  const VERDICTS = {
    "correct": "vCorrect", "clear error": "vClearError", "crash": "vCrash", "hang": "vHang", "livelock": "vLivelock", "wrong result": "vWrong",
    "silent loss": "vLoss", "safety": "vSafety", "protocol misuse": "vMisuse", "leak": "vLeak", "flaky": "vFlaky", "not reached": "vUnreached", "not run": "vNotRun"};
  const BACKS = {old: "backOld", new: "backNew", other: "backOther", unreadable: "backUnreadable"};
  const KINDS = [["exchange", "exchanges", "exchangeN", ""], ["call", "calls", "callN", "c"], ["phone", "phone", "phoneN", "p"]];
  const verdictWord = verdict => (VERDICTS[verdict.name] ? word(VERDICTS[verdict.name]) : short(verdict.name, 60));

  class Verdict {
    constructor(entry) {
      this.name = str(entry.verdict);
      this.letter = [...visible(entry.letter || this.name.slice(0, 1).toUpperCase() || "?")].slice(0, 1).join("");
      this.isReached = this.name !== "not reached" && this.name !== "not run";
      this.isFinding = this.isReached && entry.ok !== true;
      this.texts = [str(entry.summary), str(entry.gloss || entry.summary)];
      const key = VERDICTS[this.name];
      this.style = (this.isFinding ? "finding " : "fine ") + (key || "");
    }

    get summary() { return this.texts[language]; }
  }

  function verdictsOf(entries) {
    const verdicts = new Map(entries.map(entry => [str(dict(entry).verdict), new Verdict(dict(entry))]));
    if (!verdicts.has("not reached")) verdicts.set("not reached", new Verdict({letter: "-", verdict: "not reached"}));
    verdicts.set("not run", new Verdict({letter: "~", verdict: "not run"}));
    return verdicts;
  }

  function caseOf(item, number, data) {
    const letters = list(item.letters || data.letters);
    const found = {
      number, item, name: [item.scenario, item.case].filter(part => part !== undefined && part !== null).map(part => short(part, 90)).join(": "),
      faults: list(item.faults).map(str), verdicts: verdictsOf(letters), letters, summaries: [dict(item.summaries || data.summaries), dict(item.glosses || data.glosses)],
      reproduce: list(item.reproduce).map(str), clean: new Set(list(item.clean_findings).map(finding => str(dict(finding).cause))), known: new Set(list(item.causes).map(dict).filter(cause => cause.known).map(cause => str(cause.key))),
      kept: new Map(list(item.causes).map(dict).filter(cause => cause.finding).map(cause => [str(cause.key), address(str(cause.finding) + "/trace.html")])), places: new Map(), blocks: [], runs: [], notRun: [], names: new Map()};
    const words = new Map(list(item.exchanges).map(exchange => [dict(exchange).n, str(dict(exchange).is)]));
    for (const place of list(item.places)) placeOf(found, dict(place), words);
    for (const run of list(item.runs)) found.runs.push(addRun(found, dict(run), list(data.texts), words));
    for (const row of list(item.not_run).map(dict)) {
      for (const [key, numbers] of [["exchange", row.exchanges], ["call", row.calls]]) {
        for (const number of numbersOf(numbers)) found.notRun.push(addRun(found, {fault: row.fault, [key]: number, verdict: "not run"}, [], words));
      }
    }
    found.combined = list(dict(item.guided).findings).map(dict).map(run => ({verdict: verdictOf(found, str(run.verdict)), cause: str(run.cause), reason: ""}));
    found.blocks = KINDS.map(([kind]) => blockOf(found, kind)).filter(block => block.rows.length);
    return found;
  }

  function placeOf(owner, item, words) {
    const kind = KINDS.find(([name]) => item[name] !== undefined) || KINDS[0];
    const number = num(item[kind[0]]);
    const name = kind[3] + number;
    if (!owner.places.has(name)) {
      const is = (kind[0] === "exchange" && words.get(number)) || "";
      owner.places.set(name, {kind: kind[0], key: kind[2], name, number, word: str(item.is), nth: num(item.nth), is, findings: 0, column: 0, at: 0});
    }
    return owner.places.get(name);
  }

  /** The numbers of `4, 7 to 9`. */
  function numbersOf(text) {
    return str(text).split(", ").filter(Boolean).flatMap(part => {
      const [first, last = first] = part.split(" to ").map(Number);
      return Array.from({length: Math.max(0, Math.min(last - first + 1, 100_000)) || 0}, (_, index) => first + index);
    });
  }

  function verdictOf(owner, name) {
    if (!owner.verdicts.has(name)) owner.verdicts.set(name, new Verdict({verdict: name}));
    return owner.verdicts.get(name);
  }

  function addRun(owner, item, texts, words) {
    const named = (value, names) => str(typeof value === "number" && value in names ? names[value] : value);
    const verdictName = typeof item.verdict === "number" ? str(dict(owner.letters[item.verdict]).verdict) : str(item.verdict);
    const verdict = verdictOf(owner, verdictName);
    const place = placeOf(owner, item, words);
    const fault = named(item.fault, owner.faults);
    const run = {
      owner, fault, place, verdict, name: fault + "@" + place.name, at: item.at, reason: named(item.reason, texts),
      cause: named(item.cause, texts), back: str(item.read_back), href: address(named(item.page, texts)), reproduce: named(item.reproduce, texts), row: null, cell: null};
    if (run.verdict.isFinding) place.findings += 1;
    owner.names.set(run.name, run);
    return run;
  }

  function blockOf(owner, kind) {
    const places = [...owner.places.values()].filter(place => place.kind === kind).sort((a, b) => a.number - b.number);
    places.forEach((place, index) => { place.column = index; });
    const rows = new Map();
    for (const run of owner.names.values()) {
      if (run.place.kind !== kind) continue;
      if (!rows.has(run.fault)) rows.set(run.fault, {owner, name: run.fault, runs: [], findings: 0, element: null});
      run.row = rows.get(run.fault);
      run.row.runs.push(run);
      if (run.verdict.isFinding) run.row.findings += 1;
    }
    for (const row of rows.values()) row.runs.sort((a, b) => a.place.column - b.place.column);
    return {owner, kind, places, rows: [...rows.values()]};
  }

  const commandOf = run => run.reproduce || (run.owner.reproduce.length ? run.owner.reproduce[0] + shellWord(run.name) + (run.owner.reproduce[1] || "") : "");
  const shellWord = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'");
  const faultText = (owner, fault, of = language) => str(owner.summaries[of][fault] || owner.summaries[of][fault.split(":")[0]] || (of ? faultText(owner, fault, 0) : ""));
  const summaryOf = run => faultText(run.owner, run.fault);
  const commandWords = place => [place.word, place.nth || ""].join(" ").trim();
  const placeWords = place => place.is || commandWords(place);

  const grouped = n => num(n).toLocaleString("en-US");
  const counted = (key, n) => word(key, {n, count: grouped(n)});

  /** How many runs had each verdict, in the order of the letters. */
  function countsOf(runs) {
    const counts = new Map();
    for (const {owner} of runs.slice(0, 1)) if (owner) for (const verdict of owner.verdicts.values()) counts.set(verdict.name, {verdict, n: 0});
    for (const run of runs) {
      if (!counts.has(run.verdict.name)) counts.set(run.verdict.name, {verdict: run.verdict, n: 0});
      counts.get(run.verdict.name).n += 1;
    }
    return [...counts.values()].filter(count => count.n > 0);
  }

  // ---------------------------------------------------------------- state of the page
  const page = {data: null, cases: [], runs: [], selected: null, query: "", only: false, opened: new Set()};
  function refill(element, children) {
    element.replaceChildren();
    fill(element, [children]);
  }
  const matches = name => name.toLowerCase().includes(page.query.trim().toLowerCase());
  const shownRows = () => page.cases.flatMap(item => item.blocks.flatMap(block => block.rows)).filter(row => row.element && !row.element.hidden);
  const shownRuns = row => (page.only ? row.runs.filter(run => run.place.findings > 0) : row.runs);

  // ---------------------------------------------------------------- head
  function headline(runs, cases) {
    const counts = countsOf([...runs, ...cases.flatMap(item => item.combined)]);
    const kinds = counts.filter(count => count.verdict.isFinding);
    if (kinds.length) {
      const words = kinds.map(count => verdictWord(count.verdict) + " " + grouped(count.n)).join(language ? "、" : ", ");
      return word("found", {n: causesOf(cases), runs: runsWords(runs, cases), kinds: words});
    }
    if (cases.some(hasCleanFindings)) return word("foundClean");
    if (!runs.length) return word("foundNoRuns");
    if (notRun(cases)) return word("foundSoFar", {runs: runsWords(runs, cases)});
    return word(runs.every(run => !run.verdict.isReached) ? "foundUnreached" : "foundNone");
  }

  /** The causes that are not known, as the command counts them. */
  function causesOf(cases) {
    const keys = cases.flatMap(item => {
      const found = [...item.runs, ...item.combined].filter(run => run.verdict.isFinding).map(run => run.cause || run.reason);
      return [...new Set(found)].filter(cause => !item.known.has(cause) && !item.clean.has(cause));
    });
    return keys.length;
  }

  const notRun = cases => cases.reduce((sum, item) => sum + item.notRun.length, 0);

  /** `7 runs`, or `60 of 1,158 runs, ended by --time`. */
  function runsWords(runs, cases) {
    const open = notRun(cases);
    if (!open) return counted("runs", runs.length);
    const stop = str(page.data.stopped) === "an interrupt" ? word("anInterrupt") : short(page.data.stopped, 40);
    return word("endedBy", {n: grouped(runs.length), runs: counted("runs", runs.length + open), stop});
  }

  const cleanFindings = item => list(item.item.clean_findings).filter(finding => finding.known !== true);
  const hasCleanFindings = item => cleanFindings(item).length > 0;
  const hasFindings = item => [...item.runs, ...item.combined].some(run => run.verdict.isFinding);
  const isBad = cases => cases.some(item => hasCleanFindings(item) || hasFindings(item));

  function scopeOf(cases) {
    const runs = cases.flatMap(item => item.runs);
    const places = cases.reduce((sum, item) => sum + item.places.size, 0);
    const unreached = runs.filter(run => !run.verdict.isReached).length;
    return [
      runs.length > 0 && word("scope", {runs: counted("runs", runs.length), faults: word("ofFaults", {n: new Set(runs.map(run => run.fault)).size}), places: word("atPlaces", {n: places})}),
      unreached > 0 && " " + counted("unreachedRuns", unreached),
      cases.some(hasFindings) && cases.some(hasCleanFindings) && " " + word("alsoClean")];
  }

  function headBar() {
    const first = page.cases[0];
    return h("header", {class: "bar"},
      h("span", {class: "brand", title: "TapSim " + short(page.data.tapsim, 40)}, "TapSim"),
      h("span", {class: "crumb"}, word("campaign"), page.cases.length === 1 && " \u00b7 " + first.name),
      h("span", {class: "crumb dim grow"}, page.cases.length === 1 && origin(first)),
      pageButtons(KEYS, redraw));
  }

  const origin = item => [item.item.file, item.item.seed !== undefined && word("seed", {n: item.item.seed})].filter(Boolean).map(text => short(text, 120)).join("  \u00b7  ");

  function summary() {
    const bad = isBad(page.cases);
    return h("section", {class: "verdict " + (bad ? "is-bad" : "is-ok")},
      h("div", {class: "story"},
        h("p", {class: "what-case"}, h("span", {class: "badge " + (bad ? "bad" : "ok")}, (bad ? "\u2715 " : "\u2713 ") + word(bad ? "hasFindings" : "noFindings"))),
        h("h1", {}, headline(page.runs, page.cases)),
        h("p", {class: "then"}, scopeOf(page.cases))),
      h("div", {class: "facts"}, page.cases.length > 1 && h("ul", {class: "cases-list"}, page.cases.map(item => h("li", {},
        mark(isBad([item]) ? "\u2715" : "\u2713", isBad([item]) ? "bad" : "ok"), h("a", {href: "#case-" + item.number}, item.name), " ",
        countsOf(item.runs).filter(count => count.verdict.isFinding).map(count => h("span", {class: "tally"}, letter(count.verdict), grouped(count.n))))))));
  }

  const mark = (text, style) => h("span", {class: "mark " + style, "aria-hidden": "true"}, text);
  const letter = verdict => h("span", {class: "letter " + verdict.style, "aria-label": verdictWord(verdict)}, verdict.letter);

  function toolBar() {
    return h("div", {class: "tools"},
      h("input", {id: "search", type: "search", placeholder: word("search") + "  /", "aria-label": word("search"), value: page.query, autocomplete: "off", spellcheck: "false",
        input: event => { page.query = event.target.value; filter(); }}),
      button(word("only"), () => setOnly(!page.only), {class: "toggle", id: "only", "aria-pressed": String(page.only)}),
      h("span", {id: "count", class: "dim", role: "status"}));
  }

  // ---------------------------------------------------------------- a case
  function caseView(item, onPaper) {
    const view = h("section", {class: "case", id: onPaper ? null : "case-" + item.number, tabindex: onPaper ? null : "-1"},
      page.cases.length > 1 && [
        h("h2", {}, mark(isBad([item]) ? "\u2715" : "\u2713", isBad([item]) ? "bad" : "ok"), h("span", {}, item.name)),
        h("p", {}, headline(item.runs, [item]), " ", h("span", {class: "dim"}, scopeOf([item]))),
        h("p", {class: "dim"}, origin(item))],
      notices(item),
      item.names.size > 0 && legend(item));
    if (onPaper) return fill(view, [item.blocks.map(paperGrid), placeList(item, true), findings(item, true), names(item)]);
    return fill(view, [h("div", {class: "board"}, item.blocks.map(blockView), h("div", {class: "found"}, findings(item))), placeList(item), names(item)]);
  }

  function notices(item) {
    const clean = cleanFindings(item);
    const warnings = list(item.item.warnings);
    return [
      clean.length > 0 && [h("h3", {}, word("cleanFindings")), h("ul", {class: "notices clean"}, clean.map(finding => h("li", {}, mark("\u2715", "bad"),
        h("span", {}, h("b", {}, verdictWord(item.verdicts.get(str(finding.outcome)) || new Verdict({verdict: finding.outcome}))), " ",
          finding.exchange !== undefined && word("atExchange", {n: finding.exchange}) + " ", quoted(finding.reason)))))],
      warnings.length > 0 && [h("h3", {}, word("warnings")), h("ul", {class: "notices warned"}, warnings.map(warning => h("li", {}, mark("!", "fault"),
        h("span", {}, short(warning.warning, 500), warning.hint && h("span", {class: "dim"}, " " + short(warning.hint, 500))))))]];
  }

  /** What stands between backticks as code. */
  function quoted(text) {
    return short(text, 500).split(/(`[^`]*`)/).map(part => (/^`.+`$/.test(part) ? h("code", {}, part.slice(1, -1)) : part));
  }

  function legend(item) {
    return h("p", {class: "legend"}, countsOf([...item.runs, ...item.notRun]).map(({verdict, n}) => h("span", {class: "meaning", "data-tip": verdict.summary || null, tabindex: verdict.summary ? "0" : null},
      h("span", {class: "letter " + verdict.style, "aria-hidden": "true"}, verdict.letter), verdictWord(verdict) + " ", h("b", {}, grouped(n)))), h("span", {class: "dim"}, word("blank")));
  }

  function placeList(item, onPaper) {
    const places = item.blocks.flatMap(block => block.places);
    const rows = () => places.map(place => h("li", {}, h("span", {class: "num"}, place.name), h("span", {}, short(placeWords(place), 200))));
    if (!places.length) return null;
    if (onPaper) return [h("h3", {}, word("places")), h("ol", {class: "places"}, rows())];
    // Made when it is opened: it may be long.
    return h("details", {class: "folded", toggle: event => { if (event.target.open && event.target.children.length === 1) event.target.append(h("ol", {class: "places"}, rows())); }},
      h("summary", {}, word("places")));
  }

  function names(item) {
    const never = list(item.item.never_reached).map(str);
    const backs = Object.entries(dict(item.item.read_back));
    return [
      never.length > 0 && [h("h3", {}, word("neverReached")), h("p", {class: "never"}, never.map(name => [h("code", {"data-tip": faultText(item, name) || null}, short(name, 100)), " "]))],
      backs.length > 0 && [h("h3", {}, word("readBacks")), h("p", {class: "backs"}, backs.map(([name, n]) => `${backWord(name)} ${str(n)}`).join(", "))]];
  }
  const backWord = name => (BACKS[name] ? word(BACKS[name]) : short(name, 60));

  // ---------------------------------------------------------------- grid
  // A cell is one element and a row is not laid out before it is seen, so that many thousand cells are quick.
  const SIDE = 22;
  const MOST_NAMED_COLUMNS = 60;

  function blockView(block) {
    const rows = block.rows.filter(row => !page.only || row.findings > 0);
    const places = page.only ? block.places.filter(place => place.findings > 0) : block.places;
    for (const row of block.rows) row.element = null;
    if (!rows.length) return h("div", {class: "block-of", hidden: true});
    places.forEach((place, index) => { place.at = index; });
    const width = Math.min(34, Math.max(14, ...rows.map(row => row.name.length))) + 3;
    const isNamed = places.length <= MOST_NAMED_COLUMNS;
    const digits = String(places[places.length - 1].number).length;
    const heads = h("div", {class: "heads" + (isNamed ? " named" : ""), "aria-hidden": "true"}, h("span", {class: "corner"}), places.map(place => {
      place.head = h("span", {class: "column", "data-tip": `${word(place.key, {n: place.number})}\n${short(placeWords(place), 200)}`},
        isNamed && h("span", {class: "is"}, short(placeWords(place), 60)), h("span", {class: "n"}, String(place.number)));
      return place.head;
    }));
    const table = h("div", {class: "cells"}, heads, rows.map(rowView));
    table.style.setProperty("--head", `${width}ch`);
    table.style.setProperty("--columns", places.length);
    table.style.setProperty("--top", isNamed ? "152px" : digits > 3 ? "44px" : "24px");
    return h("section", {class: "block-of"}, h("h3", {}, word(KINDS.find(([kind]) => kind === block.kind)[1])),
      h("div", {class: "grid-scroll", role: "group", "aria-label": word("grid", {faults: word("ofFaults", {n: rows.length}), places: word("atPlaces", {n: places.length})})}, table));
  }

  function rowView(row) {
    row.element = h("div", {class: "line"}, h("span", {class: "fault-name", "data-tip": [row.name, summaryOf(row.runs[0])].filter(Boolean).join("\n")}, row.name));
    let next = 0;
    for (const run of shownRuns(row)) {
      const cell = document.createElement(run.href ? "a" : "span");
      cell.className = "cell " + run.verdict.style;
      cell.textContent = run.verdict.letter;
      cell.tabIndex = -1;
      if (run.href) cell.href = run.href; else cell.setAttribute("role", "button");
      if (run.place.at > next) cell.style.marginLeft = (run.place.at - next) * SIDE + 1 + "px";
      next = run.place.at + 1;
      cell.run = run;
      run.cell = cell;
      row.element.append(cell);
    }
    return row.element;
  }

  // ---------------------------------------------------------------- findings
  const MOST_REASONS = 30;
  const MOST_PLACES = 12;

  function findings(item, all = false) {
    return [faultFindings(item, all), combinations(item)];
  }

  /** Causes that only runs with several faults, or with other arguments, have shown. */
  function combinations(item) {
    const inGrid = new Set(item.runs.map(run => run.cause));
    const found = list(dict(item.item.guided).findings).map(dict).filter(run => !inGrid.has(str(run.cause)));
    if (!found.length) return [];
    const groups = groupsOf(found, run => str(run.cause)).map(([cause, runs]) => [cause, runs.reduce((best, run) => (str(run.name).length < str(best.name).length ? run : best)), runs.length]);
    return [h("h3", {class: "findings-title"}, word("combinations")), h("ul", {class: "reasons combinations"}, groups.map(([cause, run, count]) => h("li", {},
      h("p", {}, verdictWord(item.verdicts.get(str(run.verdict)) || new Verdict({verdict: run.verdict})), ": ", quoted(str(run.reason)), count > 1 && [" ", h("span", {class: "size"}, counted("times", count))]),
      h("p", {class: "where"}, h("code", {}, short(run.name, 300))), keptLink(item, cause))))];
  }

  const keptLink = (item, cause) => item.kept.get(cause) && h("p", {}, h("a", {href: item.kept.get(cause)}, word("openFinding")));

  function faultFindings(item, all) {
    const runs = item.runs.filter(run => run.verdict.isFinding && matches(run.fault));
    if (!runs.length) return [];
    return [h("h3", {class: "findings-title"}, word("findings")), countsOf(runs).map(({verdict, n}) => {
      const reasons = groupsOf(runs.filter(run => run.verdict === verdict), run => run.cause || run.reason);
      const key = `${item.number} ${verdict.name}`;
      const isOpen = all || page.opened.has(key);
      const shown = isOpen ? reasons : reasons.slice(0, MOST_REASONS);
      return h("section", {class: "kind"},
        h("h4", {}, h("span", {class: "letter " + verdict.style, "aria-hidden": "true"}, verdict.letter), verdictWord(verdict), h("span", {class: "size"}, grouped(n)), h("span", {class: "dim"}, quoted(verdict.summary))),
        h("ul", {class: "reasons"}, shown.map(([cause, same]) => causeView(cause, same, key, all))),
        shown.length < reasons.length && opener(key, counted("moreReasons", reasons.length - shown.length)));
    })];
  }

  /** Items by what they have in common, the most frequent first. */
  function groupsOf(items, keyOf) {
    const groups = new Map();
    for (const item of items) {
      const key = keyOf(item);
      if (groups.has(key)) groups.get(key).push(item); else groups.set(key, [item]);
    }
    return [...groups].sort((a, b) => b[1].length - a[1].length);
  }

  /** The short Japanese text of a fault, next to its name. */
  const glossOf = run => str(run.owner.summaries[1][run.fault.split(":")[0]]) && h("span", {class: "dim"}, " " + summaryOf(run));

  /** The runs of a cause, in the words of the one with the fewest exchanges before it. */
  function causeView(cause, runs, owner, all) {
    const key = `${owner} ${cause}`;
    const first = runs.reduce((best, run) => (run.place.number < best.place.number ? run : best));
    const isKnown = runs[0].owner.known.has(cause);
    const shown = all || page.opened.has(key) ? runs : runs.slice(0, MOST_PLACES);
    return h("li", {}, h("p", {}, quoted(first.reason), isKnown && [" ", h("span", {class: "size"}, word("known"))], runs.length > 1 && [" ", h("span", {class: "size"}, counted("times", runs.length))]),
      h("p", {class: "where"}, groupsOf(shown, run => run.fault).map(([fault, same]) => h("span", {class: "at"}, h("code", {"data-tip": summaryOf(same[0]) || null}, fault), language ? glossOf(same[0]) : "", " ", same.map(run => [placeButton(run, all), " "]))),
        shown.length < runs.length && opener(key, counted("morePlaces", runs.length - shown.length))),
      keptLink(runs[0].owner, cause),
      all && commandOf(first) && h("p", {class: "dim"}, word("reproduce") + ": ", h("code", {}, commandOf(first))));
  }

  function placeButton(run, onPaper) {
    if (onPaper) return "@" + run.place.name;
    const found = h("button", {type: "button", class: "link go", "aria-label": run.name}, "@" + run.place.name);
    found.run = run;
    return found;
  }

  const opener = (key, text) => button(text, () => { page.opened.add(key); drawFindings(); }, {class: "link more"});
  const drawFindings = () => document.querySelectorAll("main .case .found").forEach((element, index) => refill(element, findings(page.cases[index])));

  // ---------------------------------------------------------------- details of a cell
  function details(run) {
    if (!run) return [h("h2", {}, word("details")), h("p", {class: "empty"}, word("noneSelected"))];
    const command = commandOf(run);
    const entry = (key, ...value) => [h("dt", {}, word(key)), h("dd", {}, value)];
    return [
      h("h2", {}, letter(run.verdict), verdictWord(run.verdict)),
      run.reason && h("p", {class: "why"}, quoted(run.reason)),
      run.href && h("p", {}, h("a", {class: "primary", id: "trace", href: run.href}, word("openTrace"))),
      h("dl", {},
        entry("fault", h("code", {}, short(run.fault, 200)), summaryOf(run) && h("div", {class: "dim"}, short(summaryOf(run), 300))),
        entry("place", word(run.place.key, {n: run.place.number}), h("div", {class: "dim"}, short(placeWords(run.place), 300)),
          run.place.is && run.place.word && h("div", {class: "dim"}, commandWords(run.place))),
        run.verdict.summary && entry("verdict", quoted(run.verdict.summary)),
        run.at !== undefined && entry("lookAt", word("exchangeN", {n: run.at})),
        run.back && entry("readBack", backWord(run.back))),
      run.verdict.name === "not run" && h("p", {class: "dim"}, word("noRun")),
      command && h("div", {class: "reproduce"}, reproduceLine(command)),
      !run.href && run.verdict.isFinding && h("p", {class: "dim"}, word("noTrace"))];
  }

  function select(run, {focus = true} = {}) {
    const before = page.selected;
    if (before && before.cell) { before.cell.classList.remove("chosen"); before.cell.tabIndex = -1; lightUp(before, false); }
    page.selected = run;
    refill(byId("details"), details(run));
    if (!run) return;
    try { history.replaceState(null, "", `#${run.owner.number}:${encodeURIComponent(run.name)}`); } catch { /* a page from disk may have no history */ }
    if (!run.cell || !run.cell.isConnected || !run.row.element || run.row.element.hidden) return;
    run.cell.classList.add("chosen");
    run.cell.tabIndex = 0;
    run.cell.setAttribute("aria-label", visible(`${run.fault}, ${word(run.place.key, {n: run.place.number})}: ${verdictWord(run.verdict)}`));
    lightUp(run, true);
    if (!focus) return scrollGrid(run.cell);
    run.cell.focus({preventScroll: true});
    run.cell.scrollIntoView({block: "nearest", inline: "nearest"});
  }

  /** Brings a cell into sight within its grid, and leaves the page where it is. */
  function scrollGrid(cell) {
    const grid = cell.closest(".grid-scroll"), box = grid.getBoundingClientRect(), at = cell.getBoundingClientRect();
    if (at.right > box.right) grid.scrollLeft += at.left - box.left - box.width / 2;
    if (at.bottom > box.bottom) grid.scrollTop += at.top - box.top - box.height / 2;
  }

  function lightUp(run, isOn) {
    if (run.row.element) run.row.element.classList.toggle("lit", isOn);
    if (run.place.head) run.place.head.classList.toggle("lit", isOn);
  }

  // ---------------------------------------------------------------- moving
  function moveInRow(step) {
    const run = page.selected;
    if (!run || !run.row || !run.row.element) return startMoving();
    const runs = shownRuns(run.row);
    select(runs[Math.max(0, Math.min(runs.length - 1, runs.indexOf(run) + step))]);
  }

  /** To the next row that has this column; where none has, to the nearest cell of the next row. */
  function moveRows(step) {
    const run = page.selected;
    const rows = shownRows();
    const at = run ? rows.indexOf(run.row) : -1;
    if (at < 0) return startMoving();
    for (let index = at + step; index >= 0 && index < rows.length; index += step) {
      const same = shownRuns(rows[index]).find(other => other.place === run.place);
      if (same) return select(same);
    }
    const next = rows[at + step];
    if (!next) return;
    const distance = other => Math.abs(other.place.at - run.place.at);
    select(shownRuns(next).reduce((best, other) => (distance(other) < distance(best) ? other : best)));
  }

  function startMoving() {
    const row = shownRows()[0];
    if (row) select(shownRuns(row)[0]);
  }

  function goToFinding(step) {
    const runs = shownRows().flatMap(shownRuns);
    const found = [...runs.keys()].filter(index => runs[index].verdict.isFinding);
    if (!found.length) return;
    const at = runs.indexOf(page.selected);
    const later = step > 0 ? found.find(index => index > at) : found.findLast(index => index < at);
    select(runs[later ?? found.at(step > 0 ? 0 : -1)]);
  }

  function goToRun(run) {
    if (page.query && !matches(run.fault)) { page.query = byId("search").value = ""; filter(); }
    select(run);
  }

  // ---------------------------------------------------------------- filters
  function filter() {
    let shown = 0, all = 0;
    for (const item of page.cases) {
      for (const block of item.blocks) {
        for (const row of block.rows) {
          all += 1;
          if (!row.element) continue;
          row.element.hidden = !matches(row.name);
          if (!row.element.hidden) shown += 1;
        }
      }
    }
    for (const block of document.querySelectorAll("main .block-of")) block.hidden = !block.querySelector(".line:not([hidden])");
    byId("count").textContent = shown === all ? counted("rows", all) : word("ofRows", {n: grouped(shown), all: counted("rows", all)});
    byId("none").hidden = shown > 0 || all === 0;
    drawFindings();
  }

  function setOnly(isOn) {
    if (!page.runs.length) return;
    page.only = isOn;
    byId("only").setAttribute("aria-pressed", String(isOn));
    drawCases();
    select(page.selected, {focus: false});
  }

  // ---------------------------------------------------------------- keyboard and pointer
  const KEYS = [["\u2190 \u2192 \u2191 \u2193", "keysMove"], ["Home End", "keysEnds"], ["Enter", "keysOpen"], ["f", "keysFinding"], ["o", "keysOnly"], ["c", "keysCopy"], ["/", "keysSearch"], ["?", "keysHelp"]];
  const ACTIONS = {
    ArrowLeft: () => moveInRow(-1), ArrowRight: () => moveInRow(1), Home: () => moveInRow(-Infinity), End: () => moveInRow(Infinity),
    ArrowUp: () => moveRows(-1), ArrowDown: () => moveRows(1), f: () => goToFinding(1), F: () => goToFinding(-1), o: () => setOnly(!page.only),
    c: () => { if (byId("copy")) byId("copy").click(); }, "?": () => openHelp(KEYS),
    "/": () => { if (page.runs.length) { byId("search").focus(); byId("search").select(); } },
  };

  function keyPressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help")) return;
    const inSearch = event.target.id === "search";
    if (event.key === "Escape") {
      byId("tip").hidden = true;
      if (inSearch) { page.query = event.target.value = ""; filter(); event.target.blur(); }
      return;
    }
    if (inSearch && (event.key === "Enter" || event.key === "ArrowDown")) { startMoving(); event.preventDefault(); }
    // A long command scrolls by itself.
    if (inSearch || (event.target.id === "reproduce" && /^(Arrow|Home|End)/.test(event.key))) return;
    const action = ACTIONS[event.key];
    if (event.key === "Enter" && event.target.matches("span.cell")) { event.target.click(); event.preventDefault(); }
    if (!action) return;
    event.preventDefault();
    action();
  }

  function clicked(event) {
    const target = event.target.closest(".cell, .go");
    if (!target || !target.run) return;
    if (target.matches(".go")) return goToRun(target.run);
    // A link opens what it names; where one comes back to, its cell is selected.
    select(target.run);
  }

  function pointed(event) {
    const cell = event.target.closest && event.target.closest(".cell");
    if (!cell || !cell.run) return showTip(event);
    const run = cell.run;
    tipAt(cell, [`${run.fault}, ${word(run.place.key, {n: run.place.number})}`, verdictWord(run.verdict), short(run.reason, 200)].filter(Boolean));
  }

  // ---------------------------------------------------------------- print
  const PAPER_COLUMNS = 70;

  function paperGrid(block) {
    const width = Math.min(34, Math.max(...block.rows.map(row => row.name.length)));
    const parts = [];
    for (let start = 0; start < block.places.length; start += PAPER_COLUMNS) parts.push(paperPart(block, start, width));
    return h("section", {class: "block-of"}, h("h3", {}, word(KINDS.find(([kind]) => kind === block.kind)[1])), parts);
  }

  function paperPart(block, start, width) {
    const places = block.places.slice(start, start + PAPER_COLUMNS);
    const digits = String(places[places.length - 1].number).length;
    const lines = Array.from({length: digits}, (_, digit) => "".padEnd(width + 2) + places.map(place => String(place.number).padStart(digits)[digit]).join(""));
    for (const row of block.rows) {
      const runs = new Map(row.runs.map(run => [run.place, run]));
      if (places.some(place => runs.has(place))) lines.push([short(row.name, width).padEnd(width + 2), paperLetters(places, runs)]);
    }
    return h("div", {class: "paper"}, lines.map(line => h("div", {}, line)));
  }

  /** Letters as few pieces: those of findings are elements, all between two of them is one text. */
  function paperLetters(places, runs) {
    const pieces = [""];
    for (const place of places) {
      const run = runs.get(place);
      if (run && run.verdict.isFinding) pieces.push(h("b", {}, run.verdict.letter), "");
      else pieces[pieces.length - 1] += run ? run.verdict.letter : " ";
    }
    return pieces;
  }

  function preparePrint() {
    if (!byId("printed")) byId("app").append(h("div", {id: "printed"}, page.cases.map(item => caseView(item, true))));
  }
  const forgetPrint = () => byId("printed") && byId("printed").remove();

  // ---------------------------------------------------------------- start
  function drawCases() {
    byId("cases").replaceChildren(...page.cases.map(item => caseView(item, false)), h("p", {id: "none", class: "empty", hidden: true}, word("noRows")));
    filter();
  }

  function redraw() {
    document.title = visible(`${word(isBad(page.cases) ? "hasFindings" : "noFindings")}: ${page.cases.length === 1 ? page.cases[0].name : word("campaign")} \u2013 TapSim`);
    byId("app").replaceChildren(headBar(), summary(), page.runs.length > 0 && toolBar() || "",
      h("main", {class: "work"}, h("div", {id: "cases"}), h("aside", {id: "details", "aria-label": word("details")})));
    if (!page.runs.length) byId("app").append(h("span", {id: "count", hidden: true}));
    drawCases();
    select(page.selected, {focus: false});
  }

  function asked() {
    const [number, name] = location.hash.slice(1).split(/:(.*)/s);
    try { return dict(page.cases[Number(number)]).names.get(decodeURIComponent(name)); } catch { return null; }
  }

  function start() {
    page.data = readRun();
    if (!page.data) return;
    page.cases = list(page.data.cases).map((item, index) => caseOf(dict(item), index, page.data));
    page.runs = page.cases.flatMap(item => item.runs);
    const wanted = asked();
    page.selected = wanted || page.runs.find(run => run.verdict.isFinding) || null;
    redraw();
    if (wanted) select(wanted);
    document.addEventListener("keydown", keyPressed);
    document.addEventListener("click", clicked);
    for (const name of ["pointerover", "focusin"]) document.addEventListener(name, pointed);
    for (const name of ["pointerout", "focusout"]) document.addEventListener(name, () => { byId("tip").hidden = true; });
    window.addEventListener("beforeprint", preparePrint);
    window.addEventListener("afterprint", forgetPrint);
    matchMedia("print").addEventListener("change", event => (event.matches ? preparePrint() : forgetPrint()));
  }

  start();
})();
