// The page of a run.
(() => {
  // ---------------------------------------------------------------- words
  Object.assign(WORDS, {
    failed: ["Failed", "失敗"],
    passed: ["Passed", "成功"],
    caseNumber: ["Case {n}", "ケース {n}"],
    show: ["Show exchange {n}", "通信 {n} を表示"],
    showHere: ["Show the place", "該当箇所を表示"],
    more: ["and {n} more expectation|and {n} more expectations", "ほか {n} 件"],
    theCard: ["The card", "カード"],
    namedCard: ["The card {name}", "カード {name} "],
    read: ["began to read", "読み取り"],
    write: ["began to write", "書き込み"],
    find: ["began to look for a card", "カードの検出"],
    password: ["gave the password", "パスワードの送信"],
    command: ["sent a command", "コマンドの送信"],
    goneInside: ["{card} was taken away {dt} after the reader {act}, before the card had answered.",
      "リーダーが{act}を始めてから {dt} 後、応答が届く前に{card}が離されました。"],
    goneBefore: ["{card} had been taken away {dt} before the reader {act}.",
      "リーダーが{act}を始める {dt} 前に、{card}はすでに離されていました。"],
    cameBack: ["It came back {dt} later.", "{dt} 後に戻りました。"],
    stayedAway: ["It did not come back.", "その後、戻りませんでした。"],
    fieldGone: ["The reader's field was off, so no card could answer.", "リーダーの RF がオフだったため、カードは応答できませんでした。"],
    refused: ["The reader refused a command of the program: {what}.", "リーダーがプログラムのコマンドを拒否しました: {what}"],
    refusedBare: ["The reader refused a command of the program.", "リーダーがプログラムのコマンドを拒否しました。"],
    injected: ["TapSim caused a fault here, as planned: {what}", "ここで、予定の障害を起こしました: {what}"],
    silent: ["The card did not answer when the reader {act}.", "リーダーの{act}に対して、カードは応答しませんでした。"],
    answered: ["At exchange {n} something else was expected; the card answered {what}.", "通信 {n} は期待値と異なり、カードの応答は {what} でした。"],
    programDid: ["Card and reader did nothing unusual.", "カードとリーダーに異常はありません。"],
    faultBefore: ["Before that, at exchange {n}, TapSim had caused a planned fault: {what}", "その前に、通信 {n} で予定の障害を起こしています: {what}"],
    noCardThere: ["The program asked for a card when none lay before the reader.", "カードが置かれていないときに、プログラムがカードを探しました。"],
    stillWaiting: ["The reader was still waiting for a card when the run ended.", "終了時、リーダーはまだカードを待っていました。"],
    outUnsupported: ["not supported", "未対応"],
    outNoCard: ["no card", "カードなし"],
    outFailed: ["failed", "失敗"],
    outWaiting: ["still waiting", "待機中"],
    outAnswer: ["answer", "応答"],
    nothing: ["The program never sent a command to a card.", "プログラムはカードにコマンドを一度も送りませんでした。"],
    otherwise: ["The run did not end as expected.", "期待どおりに終わりませんでした。"],
    allMet: ["Everything that was expected happened.", "すべて期待どおりでした。"],
    summary: ["{n} exchange in {t}.|{n} exchanges in {t}.", "{t} の間に通信 {n} 回。"],
    endExit: ["The program then ended with exit code {n}.", "その後、プログラムは終了コード {n} で終了しました。"],
    endSignal: ["The program crashed (signal {n}).", "プログラムがクラッシュしました（シグナル {n}）。"],
    endTime: ["The program took too long and was stopped.", "制限時間に達したため、プログラムを停止しました。"],
    endExchanges: ["The program sent too many commands and was stopped.", "コマンドが多すぎるため、プログラムを停止しました。"],
    endLine: ["The program never printed the line that was awaited, and was stopped.", "待っていた行が出力されなかったため、プログラムを停止しました。"],
    endIdle: ["The program did nothing any more and was stopped.", "何もしなくなったため、プログラムを停止しました。"],
    endRetries: ["The program repeated one command too often and was stopped.", "同じコマンドの繰り返しが多すぎるため、プログラムを停止しました。"],
    endDismissed: ["TapSim ended the program; its exit status is unknown.", "TapSim がプログラムを終了させたため、終了コードは不明です。"],
    expResult: ["In the result, {item} should be {want}, but it was {got}.", "結果の {item} は {want} のはずが、{got} でした。"],
    expCounts: ["{item} should be sent {want} times, but it was {got}.", "{item} の回数は {want} のはずが、{got} でした。"],
    expCard: ["On the card, {item} should be {want}, but it was {got}.", "カードの {item} は {want} のはずが、{got} でした。"],
    expSame: ["The card should be as before, but it has changed: {got}.", "カードは変わらないはずが、変わりました: {got}。"],
    expPlain: ["Expected: {want}. What happened: {got}.", "期待値: {want}。実際: {got}。"],
    expOther: ["{path}: expected {want}, got {got}.", "{path}: 期待値 {want}、実際 {got}。"],
    overTime: ["What happened when", "時間の流れ"],
    field: ["field", "RF"],
    exchanges: ["exchanges", "通信"],
    faults: ["faults", "障害"],
    legend: ["◆ F fault   ✕ failure   ▽ gave up waiting   ≈ shortened", "◆ F 障害   ✕ 失敗   ▽ 待機を打ち切り   ≈ 省略"],
    timeHelp: ["Click to select the nearest exchange", "クリックすると最も近い通信を選びます"],
    search: ["Search in words and bytes", "文字列やバイトを検索"],
    calls: ["Calls", "呼び出し"],
    events: ["Events", "イベント"],
    output: ["Output", "出力"],
    marked: ["Only marked", "印のある行"],
    sideBySide: ["Side by side", "並べて比較"],
    thisRun: ["This run", "この実行"],
    ofRows: ["{n} of {all}", "{n} / {all}"],
    rows: ["{n} row|{n} rows", "{n} 行"],
    noRows: ["Nothing matches.", "一致するものはありません。"],
    colCommand: ["reader sends", "リーダーから"],
    colAnswer: ["card answers", "カードから"],
    noAnswer: ["no answer", "応答なし"],
    pending: ["nothing recorded", "記録なし"],
    fieldOn: ["Field on", "RF オン"],
    fieldOff: ["Field off", "RF オフ"],
    cardComes: ["{name} comes before the reader", "{name} が置かれた"],
    cardGoes: ["{name} is taken away", "{name} が離された"],
    notKept: ["Exchanges {a} to {b} are not on this page", "通信 {a}〜{b} はこのページにありません"],
    notKeptCalls: ["{n} call not kept|{n} calls not kept", "呼び出し {n} 件は記録されていません"],
    tabExchange: ["Exchange", "通信"],
    tabScenario: ["Scenario", "シナリオ"],
    tabOutput: ["Program output", "プログラムの出力"],
    tabExpect: ["Expectations", "期待値"],
    tabMemory: ["Card memory", "カードのメモリ"],
    exchangeN: ["Exchange {n}", "通信 {n}"],
    at: ["at {t}", "{t}"],
    took: ["took {t}", "所要 {t}"],
    waited: ["waited {t}", "待ち {t}"],
    sent: ["The reader sends", "リーダーが送る"],
    cardAnswers: ["{card} answers", "{card} が応答"],
    nobodyAnswers: ["Nobody answers", "応答なし"],
    asked: ["The program asked for this", "プログラムの要求"],
    callTitle: ["Call of the program", "プログラムの呼び出し"],
    toReader: ["to the reader", "リーダーへ"],
    fromReader: ["back to the program", "プログラムへ"],
    opened: ["inside the encryption", "復号した内容"],
    stateOf: ["State of the card", "カードの状態"],
    slot: ["time slot {n}", "タイムスロット {n}"],
    collision: ["two answers collide at bit {n}", "ビット {n} で応答が衝突"],
    badCRC: ["wrong CRC", "CRC 誤り"],
    badParity: ["wrong parity", "パリティ誤り"],
    bits: ["{n} bits", "{n} ビット"],
    bytes: ["{n} byte|{n} bytes", "{n} バイト"],
    fKey: ["key", "記号"],
    fBytes: ["bytes", "位置"],
    fName: ["field", "項目"],
    fValue: ["value", "値"],
    fNote: ["meaning", "意味"],
    noSource: ["The scenario's text is not in this file.", "シナリオの本文はありません。"],
    lineFailed: ["expectation that failed", "一致しなかった期待値"],
    lineFault: ["fault planned here", "予定の障害"],
    lineHere: ["belongs to what is selected", "選択中の通信に対応"],
    lineCase: ["this case", "このケース"],
    noOutput: ["The program printed nothing.", "プログラムは何も出力していません。"],
    later: ["later than what is selected", "ここから後の出力"],
    before: ["up to what is selected", "選択箇所までの出力"],
    showAll: ["Show all {n} lines", "全 {n} 行を表示"],
    unmet: ["Expectations that were not met", "一致しなかった期待値"],
    allExpectations: ["All expectations were met.", "すべての期待値と一致しました。"],
    want: ["expected", "期待値"],
    got: ["got", "実際の値"],
    nearest: ["nearest", "最も近い通信"],
    plannedFaults: ["Planned faults", "予定の障害"],
    meaning: ["what happens", "内容"],
    times: ["planned", "予定回数"],
    injectedAt: ["injected at", "発生した通信"],
    never: ["never", "なし"],
    howEnded: ["How the program ended", "プログラムの終了状態"],
    noMemory: ["No memory of a card was kept.", "カードのメモリは記録されていません。"],
    unchanged: ["unchanged", "変更なし"],
    changes: ["{n} change|{n} changes", "変更 {n} か所"],
    onlyChanges: ["Only changes", "変更のみ"],
    wasBefore: ["before", "実行前"],
    ndef: ["NDEF records", "NDEF レコード"],
    ndefBefore: ["NDEF records before", "NDEF レコード（実行前）"],
    noNdef: ["none", "なし"],
    pageMap: ["Page map", "ページ一覧"],
    pages: ["Pages", "ページ"],
    page: ["page", "ページ"],
    marks: ["marks", "印"],
    locked: ["locked", "ロック"],
    protected: ["protected from page {n} on (AUTH0)", "ページ {n} 以降は保護（AUTH0）"],
    unprotected: ["no page is protected (AUTH0 255)", "保護なし（AUTH0 255）"],
    mapLegend: ["Δ changed   L locked   P protected   · neither", "Δ 変更   L ロック   P 保護   · なし"],
    counter: ["counter {n}", "カウンタ {n}"],
    system: ["System {code}", "システム {code}"],
    noServices: ["No services.", "サービスはありません。"],
    block: ["block", "ブロック"],
    blocks: ["{n} block|{n} blocks", "{n} ブロック"],
    sameBoth: ["Both runs agree in every exchange.", "両方の実行は全通信で一致しています。"],
    firstDiff: ["The runs differ first at exchange {n}.", "最初の相違は通信 {n} です。"],
    jumpDiff: ["First difference", "最初の相違"],
    runA: ["A  this run", "A  この実行"],
    runB: ["B  other run", "B  比較対象"],
    onlyA: ["only in A", "A のみ"],
    onlyB: ["only in B", "B のみ"],
    same: ["the same", "同じ"],
    differs: ["different", "相違"],
    brokenHint: ["The file may have been cut off or edited; make it again with tapsim trace open.", "ファイルが途中で切れたか、編集された可能性があります。tapsim trace open で作り直してください。"],
    measured: ["measured", "実測"],
    printCut: ["{n} rows are not printed", "{n} 行は印刷されません"],
    keysMove: ["next, previous row", "次の行、前の行"],
    keysFold: ["open, close the call of a row", "行の呼び出しを開く、閉じる"],
    keysFault: ["next fault (with Shift: previous)", "次の障害（Shift で前）"],
    keysFail: ["where it failed", "失敗した箇所"],
    keysCalls: ["show or hide calls", "呼び出しの表示切替"],
    keysTabs: ["panels on the right", "右側のパネル"],
    keysDiff: ["first difference of two runs", "二つの実行の最初の相違"],
    noneSelected: ["Select a row of the list.", "一覧から行を選んでください。"],
    markFail: ["failure", "失敗"],
    markFault: ["fault", "障害"],
    markSilent: ["no answer", "応答なし"],
    markRefused: ["refused", "拒否"],
    markDamaged: ["damaged", "破損"],
  });

  // ---------------------------------------------------------------- units
  const ms = time => (num(time) / 1e6).toFixed(1);
  function duration(time) {
    const milliseconds = num(time) / 1e6;
    if (milliseconds < 0.1 && milliseconds > 0) return (milliseconds * 1000).toFixed(0) + " \u00b5s";
    return milliseconds < 1000 ? milliseconds.toFixed(1) + " ms" : (milliseconds / 1000).toFixed(2) + " s";
  }
  const byteList = hex => str(hex).replace(/\s+/g, "").match(/../g) || [];
  const grouped = hex => (/^[0-9a-f\s]*$/i.test(str(hex)) ? byteList(hex).join(" ") : str(hex));
  const ascii = hex => byteList(hex).map(byte => {
    const code = parseInt(byte, 16);
    return code > 0x1f && code < 0x7f ? String.fromCharCode(code) : "\u00b7";
  }).join("");
  const place = item => [item.file, item.line].filter(part => part !== undefined && part !== null).map(str).join(":");

  // ---------------------------------------------------------------- model: rows out of events
  // A long run may keep repeated texts once, in `texts`; a number in place of a text is its index there, and `of` that of
  // what an event shares with others.
  const KEPT_ONCE = ["is", "hex", "answer", "fields", "answer_fields", "state", "states", "text"];

  function expand(event, texts) {
    if (Number.isInteger(event.of)) event = {...dict(texts[event.of]), ...event};
    for (const key of KEPT_ONCE) if (typeof event[key] === "number" && texts.length) event[key] = texts[event[key]];
    return event;
  }

  function modelOf(run) {
    const model = {run, rows: [], exchanges: [], byNumber: new Map(), cards: new Map(), focus: null, start: 0, end: 0};
    const builder = {model, call: null, exchange: null, gap: run.not_kept ? dict(run.not_kept) : null};
    const texts = list(run.texts);
    list(run.events).forEach((event, index) => addEvent(builder, expand(dict(event), texts), index));
    addGap(builder, Infinity, model.end, Infinity);
    linkCalls(model);
    if (model.end === model.start) model.end += 1e6;
    markFailures(model);
    markFaults(model);
    markMisses(model);
    model.rows.forEach((row, index) => { row.index = index; });
    model.focus = focusOf(model);
    return model;
  }

  const faultName = fault => str(fault.fault).match(/^[\w.]*/)[0];
  const plannedFault = (run, fault) => list(run.faults).find(item => faultName(dict(item)) === faultName(fault));

  /** What a fault does, in the language of the page if the run says so in it. */
  const faultMeaning = (fault, otherwise = "") => short(language && fault.gloss || fault.is || otherwise || fault.fault, 300);

  function addRow(model, row) {
    model.rows.push(row);
    if (!model.rows[1]) model.start = row.t;
    model.end = Math.max(model.end, row.t);
    return row;
  }

  function addEvent(builder, event, order) {
    const {model} = builder;
    const t = num(event.t, model.end);
    const open = builder.exchange && !builder.exchange.done ? builder.exchange : null;
    const inside = Number.isInteger(event.n) ? model.byNumber.get(event.n) || open : open;
    model.end = Math.max(model.end, t);
    if (event.kind === "fault") event = {...event, gloss: dict(plannedFault(model.run, event)).gloss};
    switch (event.kind) {
      case "frame": return addExchange(builder, event, t, order);
      case "answer": case "silence":
        if (!inside && !builder.exchange) break;
        return endExchange(inside || builder.exchange, event, t, order);
      case "call":
        if (event.dir === "out" && builder.call && !builder.call.event.answer) {
          builder.call.event.answer = event.hex || event.answer;
          builder.call.event.outcome = builder.call.event.outcome || event.outcome;
          builder.call = null;
          return;
        }
        return addCall(builder, event, t, order);
      case "card": {
        const spans = model.cards.get(str(event.card)) || [];
        model.cards.set(str(event.card), spans);
        spans.push({t, on: event.present === true});
        break;
      }
      case "fault":
        if (inside) inside.faults.push(event);
        else if (builder.latest && !builder.latest.exchanges.length && !builder.exchange) builder.latest.faults.push(event);
        break;
    }
    const row = addRow(model, {type: str(event.kind) || "note", event, t, order, inside});
    if (inside) inside.inside.push(row);
  }

  // A call that has its answer stands for itself, unless it names its exchanges: [first, last]. One that has none yet
  // holds what follows, until the answer comes as an event of its own.
  function addCall(builder, event, t, order) {
    const isOpen = !event.answer && !event.outcome && !event.exchanges && !event.function;
    builder.exchange = null;
    builder.latest = addRow(builder.model, {type: "call", event, t, order, exchanges: [], failures: [], faults: []});
    builder.call = isOpen ? builder.latest : null;
  }

  /** Calls before the first of the exchanges they name, also where they were written down when they were over. */
  function linkCalls(model) {
    const before = new Map();
    for (const call of model.rows.filter(row => row.type === "call" && Array.isArray(row.event.exchanges))) {
      const [first, last] = call.event.exchanges;
      call.exchanges = model.exchanges.filter(row => row.n >= first && row.n <= last);
      for (const row of call.exchanges) row.call = call;
      if (call.exchanges.length) before.set(call.exchanges[0], call);
    }
    if (!before.size) return;
    const moved = new Set(before.values());
    model.rows = model.rows.filter(row => !moved.has(row)).flatMap(row => (before.has(row) ? [before.get(row), row] : [row]));
  }

  function addGap(builder, n, t, order) {
    const {model, gap} = builder;
    if (!gap || n < num(gap.first)) return;
    addRow(model, {type: "gap", event: gap, t, order: order - 0.5});
    builder.gap = null;
  }

  function addExchange(builder, event, t, order) {
    const {model, call} = builder;
    addGap(builder, event.n, t, order);
    const row = addRow(model, {
      type: "exchange", event, t, end: t, order, last: order, n: event.n, call, answers: [], silence: null, done: false,
      inside: [], failures: [], faults: []});
    if (call) call.exchanges.push(row);
    model.exchanges.push(row);
    model.byNumber.set(event.n, row);
    builder.exchange = row;
  }

  function endExchange(row, event, t, order) {
    row.done = true;
    row.end = Math.max(row.end, t);
    row.last = order;
    if (event.kind === "answer") row.answers.push(event); else row.silence = event;
  }

  function markFailures(model) {
    for (const failure of list(model.run.failures)) {
      const row = model.byNumber.get(failure.exchange);
      if (row) row.failures.push(failure);
    }
  }

  // A fault of the catalogue may have no event of its own; the exchanges it was injected at get a row for it all the same.
  function markFaults(model) {
    for (const fault of list(model.run.faults)) {
      for (const n of list(fault.injected)) {
        const row = model.byNumber.get(n);
        if (!row || row.faults.length) continue;
        row.faults.push(fault);
        const own = {type: "fault", event: {is: fault.is, gloss: fault.gloss, fault: fault.fault}, t: row.t, order: row.order, inside: row};
        model.rows.splice(model.rows.indexOf(row) + 1, 0, own);
        row.inside.push(own);
      }
    }
  }

  const isSearch = row => /^(wupa|reqa|anticollision|select|polling)\b/i.test(str(row.event.is));

  // A reader asks for one kind of card after the other: a search that stays unanswered shows nothing where a later search, without a
  // fault in between, finds a card.
  function markMisses(model) {
    let found = false;
    for (const row of [...model.exchanges].reverse()) {
      if (row.answers.length) found = true;
      row.isMissMadeGood = found && Boolean(row.silence) && isSearch(row) && !row.faults.length && !row.inside.some(item => item.type === "card");
    }
  }

  /** Whether a function of PC/SC or Core NFC has returned an error. */
  const hasFailed = row => row.type === "call" && !!row.event.function && row.event.function !== "ended" && !["SCARD_S_SUCCESS", "ok"].includes(row.event.result);
  const isRefused = row => row.type === "call" && (row.event.refused === true || row.event.outcome === "unsupported");

  function focusOf(model) {
    model.isGuess = false;
    const failing = list(model.run.failures).map(failure => model.byNumber.get(failure.exchange)).find(row => row && !row.isMissMadeGood);
    if (failing) return failing;
    const rows = model.rows.filter(row => !row.isMissMadeGood);
    const candidates = model.run.passed === true ? [] : [
      row => row.faults && row.faults.length, row => isRefused(row) && row.event.hint, row => row.silence, isRefused,
      row => row.type === "call" && !model.exchanges.length && ["no card", "waiting"].includes(row.event.outcome)];
    for (const candidate of candidates) {
      const row = rows.find(candidate);
      if (row) return row;
    }
    model.isGuess = true;
    return (model.run.passed === true ? model.exchanges[0] : model.exchanges[model.exchanges.length - 1]) || rows[0] || null;
  }

  // ---------------------------------------------------------------- the story, in words for everybody
  function actOf(row) {
    const name = str(row.event.is).toLowerCase();
    if (/auth/.test(name)) return word("password");
    if (/write|update|decrement/.test(name)) return word("write");
    if (/poll|wupa|reqa|anticollision|select|search/.test(name)) return word("find");
    return /read|request|get/.test(name) ? word("read") : word("command");
  }

  function cardWords(model, name) {
    return new Plain(model.cards.size > 1 ? word("namedCard", {name: short(name, 40)}).trim() : word("theCard"));
  }

  function removalBefore(model, row) {
    const within = row.inside && row.inside.find(item => item.type === "card" && item.event.present === false);
    if (within) return within;
    if (!row.silence) return null;
    let found = null;
    for (const item of model.rows) {
      if (item.order > row.order) break;
      if (item.type !== "card") continue;
      if (item.event.present === false) found = item;
      else if (found && found.event.card === item.event.card) found = null;
    }
    return found;
  }

  function returnAfter(model, removal) {
    return model.rows.find(row =>
      row.type === "card" && row.order > removal.order && row.event.present === true && row.event.card === removal.event.card);
  }

  function removalStory(model, row, removal) {
    const inside = removal.t >= row.t;
    const values = {card: cardWords(model, removal.event.card), act: new Plain(actOf(row)),
      dt: new Plain(duration(Math.abs(removal.t - row.t)))};
    const back = returnAfter(model, removal);
    return {
      head: sentence(inside ? "goneInside" : "goneBefore", values),
      more: [back ? word("cameBack", {dt: duration(back.t - removal.t)}) : word("stayedAway")]};
  }

  function fieldOffAt(model, row) {
    let on = true;
    for (const item of model.rows) {
      if (item.order > row.order) break;
      if (item.type === "field") on = item.event.on === true;
    }
    return !on;
  }

  const stopped = text => (text && !/[.!?\u3002]$/.test(str(text)) ? str(text) + "." : text);

  function refusalStory(row) {
    const what = row.event.is || grouped(row.event.hex);
    return {head: what ? sentence("refused", {what: short(what, 120)}) : word("refusedBare"), more: [stopped(row.event.hint)]};
  }

  function causeOf(model) {
    const row = model.focus;
    if (model.run.passed === true) {
      return {head: word("allMet"), more: [word("summary", {n: model.exchanges.length, t: duration(model.end - model.start)})]};
    }
    if (row && isRefused(row)) return refusalStory(row);
    if (!model.exchanges.length) return storyWithoutExchanges(model);
    if (row.type !== "exchange") return {head: word("otherwise"), more: []};
    const removal = removalBefore(model, row);
    if (removal) return removalStory(model, row, removal);
    if (row.silence && fieldOffAt(model, row)) return {head: word("fieldGone"), more: []};
    if (row.faults.length) return {head: sentence("injected", {what: new Plain(faultWords(model, row))}), more: []};
    const more = faultBefore(model, row);
    if (row.silence) return {head: word("silent", {act: actOf(row)}), more};
    const refused = model.rows.find(item => isRefused(item) && item.event.hint);
    if (refused) return refusalStory(refused);
    const answer = row.answers[row.answers.length - 1];
    if (model.isGuess || !answer) return programStory(model, [word("programDid"), ...more]);
    return {head: sentence("answered", {n: new Plain(str(row.n)), what: short(answer.is || grouped(answer.hex), 120)}), more};
  }

  // Nothing on the way to the card explains it, so the first thing that was not met comes first.
  function programStory(model, more) {
    const [failure] = list(model.run.failures);
    if (!failure) return {head: word("otherwise"), more};
    return {head: expectationWords(failure), more: [stopped(failure.hint), ...more], isFailure: true};
  }

  function storyWithoutExchanges(model) {
    const outcomes = model.rows.filter(row => row.type === "call").map(row => row.event.outcome);
    const reason = outcomes.includes("no card") ? "noCardThere" : outcomes.includes("waiting") ? "stillWaiting" : null;
    return reason ? {head: word(reason), more: []} : programStory(model, [word("nothing")]);
  }

  function faultBefore(model, row) {
    const earlier = model.exchanges.filter(item => item.faults.length && item.order < row.order).pop();
    return earlier ? [word("faultBefore", {n: earlier.n, what: faultWords(model, earlier)})] : [];
  }

  function faultWords(model, row) {
    const fault = row.faults[0];
    return faultMeaning(fault, dict(plannedFault(model.run, fault)).is);
  }

  function endOf(client) {
    if (Number.isInteger(client.signal)) return word("endSignal", {n: client.signal});
    if (client.limit) {
      const limits = {time: "endTime", exchanges: "endExchanges", idle: "endIdle", line: "endLine", retries_per_command: "endRetries"};
      return limits[client.limit] ? word(limits[client.limit]) : str(client.end || client.limit);
    }
    if (Number.isInteger(client.exit)) return word("endExit", {n: client.exit});
    if (client.dismissed || client.killed_after) return word("endDismissed");
    return str(client.end);
  }

  function expectationWords(failure) {
    const [section, ...rest] = str(failure.path).split(/\s{2,}/);
    const item = rest.join(" ");
    const [want, got] = differingWords(failure.expected, failure.got, 100);
    const values = {path: short(failure.path, 100), item: short(item, 80), want, got};
    if (section === "client") return sentence("expPlain", values);
    if (!item) return sentence("expOther", values);
    if (section.startsWith("expect.cards")) return sentence(item === "unchanged" ? "expSame" : "expCard", values);
    return sentence({"expect.result": "expResult", "expect.counts": "expCounts"}[section] || "expOther", values);
  }

  // Two texts, each with the words that differ in bold and as many of those around them as there is room for.
  function differingWords(want, got, room) {
    const texts = [str(want), str(got)];
    const words = texts.map(text => text.match(/[\p{L}\p{N}_.-]+|[^\p{L}\p{N}_.-]/gu) || []);
    const [one, other] = words;
    let start = 0, end = 0;
    while (start < Math.min(one.length, other.length) && one[start] === other[start]) start++;
    while (end < Math.min(one.length, other.length) - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
    return words.map((list, index) => differingText(list, texts[index], start, list.length - end, room));
  }

  function differingText(words, text, start, end, room) {
    if (start === 0 && end === words.length || start >= end) return short(text, room);
    const [before, differs, after] = [words.slice(0, start).join(""), words.slice(start, end).join(""), words.slice(end).join("")];
    const left = Math.max(0, Math.floor((room - differs.length) / 2));
    const head = before.length > left ? "\u2026" + before.slice(before.length - left) : before;
    return [head, h("b", {}, short(differs, room)), after.length > left ? after.slice(0, left) + "\u2026" : after];
  }

  // ---------------------------------------------------------------- state of the page
  const page = {
    run: null, model: null, other: null, pairs: null, view: [], selected: null, tab: "exchange", query: "", compare: false,
    show: {calls: false, events: true, output: true, marked: false}, opened: new Set(), card: 0, onlyChanges: false,
    allOutput: false};

  // ---------------------------------------------------------------- head and verdict
  function headBar() {
    const {run} = page;
    return h("header", {class: "bar"},
      h("span", {class: "brand", title: "TapSim " + short(run.tapsim, 40)}, "TapSim"),
      h("span", {class: "crumb"}, short(run.name, 120)),
      h("span", {class: "crumb dim grow"}, place({file: run.file, line: dict(run.case).line}),
        run.seed !== undefined && "  \u00b7  " + word("seed", {n: run.seed})),
      page.other && button(word(page.compare ? "thisRun" : "sideBySide"), toggleCompare, {id: "compare", "aria-pressed": String(page.compare)}),
      pageButtons(KEYS, redraw));
  }

  function badge(passed) {
    return h("span", {class: "badge " + (passed ? "ok" : "bad")}, (passed ? "\u2713 " : "\u2715 ") + word(passed ? "passed" : "failed"));
  }

  function verdict() {
    const {run, model} = page;
    const cause = causeOf(model);
    const failures = list(run.failures);
    const client = dict(run.client);
    const number = dict(run.case).number;
    const sentences = [...cause.more.map(text => text && short(text, 160)), run.passed === true ? null : endOf(client)].filter(Boolean);
    return h("section", {class: "verdict " + (run.passed === true ? "is-ok" : "is-bad"), "aria-label": word(run.passed === true ? "passed" : "failed")},
      h("div", {class: "story"},
        h("p", {class: "what-case"}, badge(run.passed === true),
          h("span", {}, number !== undefined && word("caseNumber", {n: number}) + "  ", h("b", {}, short(dict(run.case).name || run.name, 90)))),
        h("h1", {}, cause.head),
        sentences.length > 0 && h("p", {class: "then"}, sentences.map(text => h("span", {}, text, " ")))),
      h("div", {class: "facts"},
        failures[0] && (failures.length > 1 || !cause.isFailure) && h("p", {class: "unmet"}, h("span", {class: "mark bad", "aria-hidden": "true"}, "\u2715"),
          h("span", {}, !cause.isFailure && [expectationWords(failures[0]), " ", failures[0].hint && h("span", {class: "dim"}, short(failures[0].hint, 160)), " "],
            failures.length > 1 && button(word("more", {n: failures.length - 1}), () => openTab("expect"), {class: "link", id: "more-failures"}))),
        page.compare && comparison()),
      h("div", {class: "reproduce"},
        model.focus && run.passed !== true && !model.isGuess && button(
          model.focus.n ? word("show", {n: model.focus.n}) : word("showHere"), goToFailure, {class: "primary", id: "go"}),
        run.reproduce && reproduceLine(run.reproduce)));
  }

  // ---------------------------------------------------------------- time bar
  // A wait of seconds would squeeze everything else to a line; the longest gaps are shortened and marked.
  function timeScale(model, left, width) {
    const times = new Set([model.start, model.end]);
    for (const row of model.rows) { times.add(row.t); if (row.end) times.add(row.end); }
    const points = Float64Array.from(times).sort();
    const gaps = [];
    for (let index = 1; index < points.length; index++) gaps.push({size: points[index] - points[index - 1], index});
    let rest = gaps.reduce((sum, gap) => sum + gap.size, 0);
    const long = new Set();
    for (const gap of [...gaps].sort((a, b) => b.size - a.size).slice(0, 12)) {
      if (gaps.length - long.size < 3 || gap.size < 1.5 * (rest - gap.size)) break;
      long.add(gap.index);
      rest -= gap.size;
    }
    const cut = long.size ? Math.max(rest * 0.3 / Math.sqrt(long.size), 1) : Infinity;
    const at = new Float64Array(points.length);
    for (const gap of gaps) at[gap.index] = at[gap.index - 1] + (long.has(gap.index) ? Math.min(cut, gap.size) : gap.size);
    const total = at[at.length - 1] || 1;
    const x = time => {
      let low = 0, high = points.length - 1;
      while (low < high) { const middle = (low + high + 1) >> 1; if (points[middle] <= time) low = middle; else high = middle - 1; }
      const next = Math.min(low + 1, points.length - 1);
      const span = points[next] - points[low];
      const share = span > 0 ? Math.min(Math.max((time - points[low]) / span, 0), 1) : 0;
      return left + (at[low] + share * (at[next] - at[low])) / total * width;
    };
    return {x, breaks: gaps.filter(gap => long.has(gap.index)).map(gap => ({from: points[gap.index - 1], to: points[gap.index], size: gap.size}))};
  }

  function spansOf(changes, end) {
    const spans = [];
    changes.forEach((change, index) => {
      if (change.on) spans.push([change.t, index + 1 < changes.length ? changes[index + 1].t : end]);
    });
    return spans;
  }

  /** One path for many boxes, none narrower than a pixel that is already there. */
  function boxes(items, scale, top, height, least = 2) {
    let path = "", last = -1;
    for (const [from, to] of items) {
      const x = Math.round(scale.x(from) * 2) / 2;
      const width = Math.max(scale.x(to) - x, least);
      if (x + width <= last) continue;
      path += `M${x} ${top}h${width.toFixed(1)}v${height}h-${width.toFixed(1)}z`;
      last = x + width;
    }
    return path;
  }

  const LANE = 17;
  const LEFT = 96;

  function drawTime(holder) {
    const {model} = page;
    const width = Math.max(holder.clientWidth, 320);
    const scale = timeScale(model, LEFT, width - LEFT - 24);
    const lanes = timeLanes(model);
    const height = lanes.length * LANE + 20;
    const picture = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": word("overTime") + ". " + word("timeHelp")},
      svg("defs", {}, svg("pattern", {id: "waiting", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
        svg("rect", {width: 2, height: 5, class: "hatch"}))));
    lanes.forEach((lane, index) => lane.draw(picture, scale, index * LANE + 3, LANE - 6, lane.name));
    drawAxis(picture, scale, model, lanes.length * LANE + 3, width);
    picture.append(svg("line", {id: "cursor", y1: 0, y2: lanes.length * LANE, class: "cursor"}));
    picture.addEventListener("click", event => {
      const row = nearest(scale, event.clientX - picture.getBoundingClientRect().left);
      if (row) select(row, true);
    });
    holder.replaceChildren(picture);
    page.scale = scale;
    moveCursor();
  }

  function laneName(picture, top, name) {
    picture.append(svg("text", {x: 0, y: top + 10, class: "lane"}, short(name, 14)));
  }

  function timeLanes(model) {
    const field = model.rows.filter(row => row.type === "field").map(row => ({t: row.t, on: row.event.on === true}));
    const lane = (name, spans, className) => ({name, draw: (picture, scale, top, height) => {
      laneName(picture, top, name);
      picture.append(svg("path", {d: boxes([[model.start, model.end]], scale, top + height / 2, 0.5), class: "lane-off"}),
        svg("path", {d: boxes(spans, scale, top + 1, height - 2), class: className}));
    }});
    const lanes = [];
    if (field.length) lanes.push(lane(word("field"), spansOf(field, model.end), "lane-field"));
    for (const [name, changes] of [...model.cards].slice(0, 6)) lanes.push(lane(name, spansOf(changes, model.end), "lane-card"));
    lanes.push({draw: (picture, scale, top, height) => drawExchanges(picture, scale, model, top, height)});
    lanes.push({draw: (picture, scale, top, height) => drawMarks(picture, scale, model, top, height)});
    return lanes;
  }

  function drawExchanges(picture, scale, model, top, height) {
    laneName(picture, top, word("exchanges"));
    const span = row => [row.t, row.end];
    const silent = model.exchanges.filter(row => row.silence);
    picture.append(
      svg("path", {d: boxes(model.exchanges.filter(row => !row.silence).map(span), scale, top, height), class: "lane-exchange"}),
      svg("path", {d: boxes(silent.map(span), scale, top, height, 3), class: "lane-silent"}));
    const given = new Set();
    for (const row of silent) {
      const x = Math.round(scale.x(num(row.event.deadline, row.end)));
      if (given.has(x >> 2)) continue;
      given.add(x >> 2);
      picture.append(svg("path", {d: `M${x - 4} ${top - 2}h8l-4 6z`, class: "deadline"}));
    }
  }

  // An exchange is marked itself only where its fault has no event with a time of its own.
  const hasOwnFault = row => row.faults && row.faults.length > 0 && !(row.inside || []).some(item => item.type === "fault");

  function drawMarks(picture, scale, model, top, height) {
    laneName(picture, top, word("faults"));
    const taken = new Set();
    for (const row of model.rows) {
      const kind = row.failures && row.failures.length ? "fail" : row.type === "fault" || hasOwnFault(row) || isRefused(row) ? "fault" : null;
      const x = Math.round(scale.x(row.t));
      if (!kind || taken.has(kind + (x >> 3))) continue;
      taken.add(kind + (x >> 3));
      const y = top + height / 2;
      if (kind === "fail") picture.append(svg("text", {x: x - 9, y: top + 10, class: "fail-mark"}, "\u2715"));
      else picture.append(svg("path", {d: `M${x + 4} ${y - 5}l5 5l-5 5l-5 -5z`, class: "fault-mark"}),
        taken.size < 60 && svg("text", {x: x + 11, y: top + 10, class: "fault-letter"}, isRefused(row) ? "R" : "F"));
    }
  }

  function drawAxis(picture, scale, model, y, width) {
    const broken = scale.breaks.map(gap => ({...gap, x: (scale.x(gap.from) + scale.x(gap.to)) / 2}));
    for (const gap of broken) picture.append(svg("text", {x: gap.x, y: y + 11, class: "axis break", "text-anchor": "middle"}, "\u2248 " + duration(gap.size)));
    let free = LEFT - 40;
    const step = niceStep((model.end - model.start - scale.breaks.reduce((sum, gap) => sum + gap.size, 0)) / 8);
    for (let time = Math.ceil(model.start / step) * step, count = 0; time <= model.end && count < 4000; time += step, count++) {
      const hidden = scale.breaks.find(gap => time > gap.from && time < gap.to);
      if (hidden) { time = Math.ceil(hidden.to / step) * step - step; continue; }
      const x = scale.x(time);
      if (x < free + 56 || x > width - 24 || broken.some(gap => Math.abs(gap.x - x) < 62)) continue;
      picture.append(svg("line", {x1: x, x2: x, y1: y - 3, y2: y + 1, class: "tick"}),
        svg("text", {x, y: y + 11, class: "axis", "text-anchor": "middle"}, axisTime(time, step)));
      free = x;
    }
  }

  function axisTime(time, step) {
    const unit = step >= 1e8 ? [1e9, " s"] : [1e6, " ms"];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / unit[0])));
    return (time / unit[0]).toFixed(digits) + unit[1];
  }

  function niceStep(raw) {
    const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)));
    return power * [1, 2, 5, 10].find(factor => factor * power >= raw);
  }

  function nearest(scale, x) {
    let best = null, distance = Infinity;
    for (const row of page.model.exchanges.length ? page.model.exchanges : page.model.rows) {
      const from = scale.x(row.t), to = scale.x(row.end || row.t);
      const away = x < from ? from - x : x > to ? x - to : 0;
      if (away < distance) { best = row; distance = away; }
    }
    return best;
  }

  function moveCursor() {
    const cursor = byId("cursor");
    const row = page.selected && (page.selected.a || page.selected.b || page.selected);
    if (!cursor || !row || !page.scale) return;
    const x = page.scale.x(num(row.t)) - 1;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }

  // ---------------------------------------------------------------- list: which rows are seen
  function haystack(row) {
    if (row.hay === undefined) {
      const parts = [row.event, ...list(row.answers), ...list(row.faults), row.a && row.a.event, row.b && row.b.event]
        .filter(Boolean).flatMap(event => [event.is, event.hex, event.answer, event.fault, event.text, event.state, event.card, event.hint]);
      if (row.a) parts.push(...row.a.answers.flatMap(answer => [answer.is, answer.hex]));
      if (row.silence) parts.push(word("noAnswer"));
      row.hay = parts.map(str).join("\n").toLowerCase();
    }
    return row.hay;
  }

  function matches(row, query) {
    if (!query) return true;
    if (/^\d+$/.test(query) && row.n === Number(query)) return true;
    if (haystack(row).includes(query)) return true;
    const hex = query.replace(/[\s:]/g, "");
    return /^[0-9a-f]{4,}$/.test(hex) && haystack(row).includes(hex);
  }

  const isMarked = row => row.type === "fault" || isRefused(row) || row.failures && row.failures.length > 0 || row.faults && row.faults.length > 0
    || Boolean(row.silence) || row.type === "pair" && !row.same;

  function isShown(row) {
    const {show, opened} = page;
    if (show.marked && !isMarked(row)) return false;
    if (row.type === "call") {
      if (row.event.function && !hasFailed(row)) return show.calls || opened.has(row) || page.query !== "";
      return show.calls || isRefused(row) || !row.exchanges.length || opened.has(row) || page.query !== "";
    }
    if (row.type === "client") return show.output;
    if (["exchange", "pair", "fault", "card", "gap"].includes(row.type)) return true;
    return show.events;
  }

  function rowsInView() {
    const query = page.query.trim().toLowerCase();
    const rows = page.compare ? page.pairs : page.model.rows;
    return rows.filter(row => isShown(row) && matches(row, query));
  }

  function refreshList() {
    page.view = rowsInView();
    const all = page.compare ? page.pairs : page.model.rows;
    byId("count").textContent = page.view.length === all.length
      ? word("rows", {n: all.length.toLocaleString()}) : word("ofRows", {n: page.view.length.toLocaleString(), all: all.length.toLocaleString()});
    byId("none").hidden = page.view.length > 0;
    byId("spacer").style.height = page.view.length * ROW + "px";
    drawn = "";
    drawRows();
  }

  // ---------------------------------------------------------------- list: drawing what is in sight
  const ROW = 28;
  let drawn = "";

  function drawRows() {
    const holder = byId("rows");
    const first = Math.max(0, Math.floor(holder.scrollTop / ROW) - 8);
    const last = Math.min(page.view.length, Math.ceil((holder.scrollTop + holder.clientHeight) / ROW) + 8);
    const key = first + ":" + last;
    if (key === drawn) return;
    drawn = key;
    const made = [];
    for (let index = first; index < last; index++) made.push(rowElement(page.view[index], index));
    byId("spacer").replaceChildren(...made);
    markSelected();
  }

  function rowElement(row, index) {
    const [className, cells] = page.compare ? pairCells(row) : rowCells(row);
    return h("div", {
      class: "row " + className, role: "option", id: "row-" + index, "aria-setsize": page.view.length, "aria-posinset": index + 1,
      "aria-selected": "false", style: `top:${index * ROW}px`, click: () => { select(row); byId("rows").focus({preventScroll: true}); }},
      cells);
  }

  function mark(kind, letter, label) {
    return h("span", {class: "mark " + kind, role: "img", "aria-label": word(label), title: word(label)}, letter);
  }

  function marksOf(row) {
    const marks = [];
    if (row.failures && row.failures.length) marks.push(mark("bad", "\u2715", "markFail"));
    if (row.faults && row.faults.length || row.type === "fault") marks.push(mark("fault", "F", "markFault"));
    if (isRefused(row)) marks.push(mark("bad", "R", "markRefused"));
    if (row.type === "exchange" && [row.event, ...row.answers].some(event => event.crc || Number.isInteger(event.collision))) marks.push(mark("fault", "D", "markDamaged"));
    if (row.silence && marks.length < 2) marks.push(mark("silent", "\u2013", "markSilent"));
    return h("span", {class: "marks"}, marks);
  }

  const timeCell = row => h("span", {class: "time"}, ms(row.t));

  function rowCells(row) {
    if (row.type === "exchange") return exchangeCells(row);
    const [className, text] = eventCells(row);
    return ["event " + className, [marksOf(row), h("span", {class: "n"}), timeCell(row), h("span", {class: "wide"}, text)]];
  }

  function answerWords(row) {
    if (row.answers.length) return row.answers.map(answer => short(answer.is || grouped(answer.hex), 200)).join("   +   ");
    return row.silence ? h("i", {class: "silence"}, word("noAnswer")) : h("i", {class: "dim"}, word("pending"));
  }

  function exchangeCells(row) {
    const leads = row.call && row.call.exchanges[0] === row;
    const open = row.call && isShown(row.call);
    const fold = leads && !isRefused(row.call) ? h("span", {class: "fold", "aria-hidden": "true", title: word("calls"), click: event => { event.stopPropagation(); toggleCall(row.call); }}, open ? "\u25be" : "\u25b8") : null;
    return ["exchange" + (open ? " within" : "") + (row.failures.length ? " wrong" : ""), [
      marksOf(row), h("span", {class: "n"}, fold, str(row.n)), timeCell(row),
      h("span", {class: "command"}, short(row.event.is || grouped(row.event.hex), 200)), h("span", {class: "answer"}, answerWords(row))]];
  }

  const OUTCOMES = new Map([["answer", "outAnswer"], ["unsupported", "outUnsupported"], ["no card", "outNoCard"], ["failed", "outFailed"],
    ["waiting", "outWaiting"]]);
  const outcomeWords = outcome => (OUTCOMES.has(outcome) ? word(OUTCOMES.get(outcome)) : short(outcome, 60));

  function callWords(event) {
    if (event.function) {
      return [h("b", {class: "layer"}, short(event.layer, 12).toUpperCase()), " ", short(event.function, 60), "  \u2192  ", short(event.result, 120)];
    }
    const answer = event.answer ? "  \u2192  " + grouped(short(event.answer, 80)) : event.outcome ? "  \u2192  " + outcomeWords(event.outcome) : "";
    return [h("b", {class: "layer"}, short(event.layer || "call", 12).toUpperCase()), " ",
      short(event.is || "", 120), event.is ? "  " : "", h("code", {}, grouped(short(event.hex, 80)) + answer)];
  }

  function eventCells(row) {
    const event = row.event;
    const sub = row.inside ? " sub" : "";
    switch (row.type) {
      case "call": return ["call" + (isRefused(row) || hasFailed(row) ? " wrong" : ""), callWords(event)];
      case "field": return ["state" + sub, [event.on ? "\u25cf " : "\u25cb ", word(event.on ? "fieldOn" : "fieldOff")]];
      case "card": return ["state" + sub, [event.present ? "\u25bc " : "\u25b3 ", word(event.present ? "cardComes" : "cardGoes", {name: short(event.card, 60)})]];
      case "fault": return ["fault" + sub, [h("b", {}, faultMeaning(event)), (event.is || event.gloss) && event.fault ? ["  ", h("code", {}, short(event.fault, 120))] : null]];
      case "client": return ["client", [h("b", {class: "layer"}, event.stream === "err" ? "ERR" : "OUT"), " ", h("code", {}, short(event.text, 200).trim().replace(/\r?\n/g, " \u21b5 "))]];
      case "note": return ["state" + sub, short(event.text || event.is, 300)];
      case "gap": return ["state", [word("notKept", {a: event.first, b: event.last}), event.calls ? "  \u00b7  " + word("notKeptCalls", {n: event.calls}) : null]];
      default: return ["state" + sub, [h("b", {class: "layer"}, short(row.type, 20)), " ", short(event.text || event.is || event.hex, 200)]];
    }
  }

  function markSelected() {
    for (const element of byId("spacer").children) {
      const selected = page.view[Number(element.id.slice(4))] === page.selected;
      element.setAttribute("aria-selected", String(selected));
      if (selected) byId("rows").setAttribute("aria-activedescendant", element.id);
    }
  }

  function bringIntoSight(row, middle) {
    const index = page.view.indexOf(row);
    const holder = byId("rows");
    if (index < 0) return false;
    const top = index * ROW;
    if (middle || top < holder.scrollTop || top + ROW > holder.scrollTop + holder.clientHeight) {
      const away = middle ? (holder.clientHeight - ROW) / 2 : top < holder.scrollTop ? 0 : holder.clientHeight - ROW;
      holder.scrollTop = Math.max(0, top - away);
    }
    drawRows();
    return true;
  }

  // ---------------------------------------------------------------- selecting and moving
  function select(row, middle = false) {
    if (!row) return;
    if (page.compare && row.type !== "pair") row = page.pairs.find(pair => pair.a === row || pair.b === row) || page.selected;
    page.selected = row;
    if (page.view.length && !page.view.includes(row) && (page.query || page.show.marked)) {
      page.query = "";
      page.show.marked = false;
      byId("search").value = "";
      syncToggles();
      refreshList();
    }
    bringIntoSight(row, middle);
    markSelected();
    moveCursor();
    drawPanel();
    try { if (row.n) history.replaceState(null, "", "#" + row.n); } catch { /* a document without an address */ }
  }

  function move(steps) {
    if (!page.view.length) return;
    const index = page.view.indexOf(page.selected);
    select(page.view[Math.min(Math.max(index + steps, 0), page.view.length - 1)]);
  }

  function goToFailure() {
    if (page.compare) toggleCompare();
    openTab("exchange");
    const {model} = page;
    const wrong = model.exchanges.filter(row => row.failures.length);
    const at = wrong.indexOf(page.selected);
    select(wrong.length ? wrong[(at + 1) % wrong.length] : model.focus, true);
  }

  function goToFault(step) {
    const rows = page.view;
    const from = rows.indexOf(page.selected);
    for (let count = 1; count <= rows.length; count++) {
      const row = rows[(from + step * count + rows.length * 2) % rows.length];
      if (row.type !== "fault" && (row.faults && row.faults.length || isRefused(row)) || row.type === "fault" && !row.inside) return select(row, true);
    }
  }

  function goToDifference() {
    if (!page.other) return;
    if (!page.compare) toggleCompare();
    select(page.pairs.find(pair => !pair.same) || page.pairs[0], true);
  }

  function toggleCall(call) {
    if (page.opened.has(call)) page.opened.delete(call); else page.opened.add(call);
    refreshList();
    bringIntoSight(page.selected);
  }

  function foldSelected(open) {
    const row = page.selected;
    const call = row && (row.type === "call" ? row : row.call);
    if (!call || !call.exchanges.length || page.opened.has(call) === open) return;
    if (!open && row === call) page.selected = call.exchanges[0];
    toggleCall(call);
  }

  // ---------------------------------------------------------------- panel: bytes
  const keyOf = index => (index < 26 ? "" : String.fromCharCode(96 + Math.floor(index / 26))) + String.fromCharCode(97 + index % 26);

  function groupsOf(fields) {
    const groups = new Map();
    for (const field of fields) {
      const key = field.at + ":" + field.size;
      if (!groups.has(key)) groups.set(key, {at: num(field.at), size: Math.max(1, num(field.size, 1)), fields: []});
      groups.get(key).fields.push(field);
    }
    return [...groups.values()].sort((a, b) => a.at - b.at || b.size - a.size);
  }

  /** What a field means, and the parts that lie inside it. */
  function noteOf(field) {
    const parts = list(field.parts).map(part => str(part.name) + ": " + str(part.value));
    return [str(field.note), ...parts].filter(Boolean).join("; ");
  }

  function fieldWords(field) {
    return [str(field.name), str(field.value), noteOf(field)].filter(Boolean).map(text => short(text, 200)).join("  \u00b7  ");
  }

  /** The bytes with their fields: each field a stretch with a letter, which stands before its line in the table, too. */
  function bytesView(hex, fields, differs) {
    if (!/^[0-9a-f\s]*$/i.test(str(hex))) return h("pre", {class: "bytes"}, short(hex, 2000));
    const bytes = byteList(hex);
    const groups = groupsOf(list(fields));
    const owner = new Array(Math.min(bytes.length, 4096)).fill(-1);
    groups.forEach((group, index) => {
      for (let at = group.at; at < Math.min(group.at + group.size, owner.length); at++) if (owner[at] < 0) owner[at] = index;
    });
    const view = h("div", {class: "bytes"});
    for (let at = 0; at < owner.length;) {
      let to = at + 1;
      while (to < owner.length && owner[to] === owner[at]) to++;
      view.append(stretch(bytes, at, to, groups[owner[at]], owner[at], differs), " ");
      at = to;
    }
    if (bytes.length > owner.length) fill(view, [word("cut", {n: bytes.length - owner.length})]);
    return h("div", {class: "frame-view"}, view, groups.length > 0 && fieldTable(groups, bytes));
  }

  function stretch(bytes, from, to, group, index, differs) {
    const shown = [];
    for (let at = from; at < to; at++) shown.push(differs && differs.has(at) ? h("u", {class: "other-byte"}, bytes[at]) : bytes[at], at + 1 < to ? " " : "");
    if (!group) return h("span", {class: "seg none"}, shown);
    const tip = group.fields.map(fieldWords).join("\n");
    return h("span", {class: "seg c" + index % 8, "data-group": index, "data-key": keyOf(index), "data-tip": tip, tabindex: "0", "aria-label": tip}, shown);
  }

  function fieldTable(groups, bytes) {
    const rows = groups.flatMap((group, index) => group.fields.map((field, line) => h("tr", {"data-group": index},
      h("td", {class: "key"}, line === 0 && h("span", {class: "chip c" + index % 8}, keyOf(index))),
      h("td", {class: "num"}, line === 0 && (group.size > 1 ? `${group.at}\u2013${group.at + group.size - 1}` : str(group.at))),
      h("td", {}, short(field.name, 120)),
      h("td", {class: "value"}, short(field.value ?? bytes.slice(group.at, group.at + group.size).join(""), 160)),
      h("td", {class: "dim"}, short(noteOf(field), 300)))));
    return table("fields", [word("fKey"), word("fBytes"), word("fName"), word("fValue"), word("fNote")], rows);
  }

  function lightGroup(event, on) {
    const target = event.target.closest && event.target.closest("[data-group]");
    const frame = target && target.closest(".frame-view");
    if (!frame) return;
    for (const item of frame.querySelectorAll(`[data-group="${target.dataset.group}"]`)) item.classList.toggle("lit", on);
  }

  // ---------------------------------------------------------------- panel: exchange
  function frameHead(arrow, title, event) {
    const bytes = byteList(event.hex).length;
    const bits = num(event.bits);
    const size = bits && bits % 8 ? word("bits", {n: bits}) : word("bytes", {n: bytes});
    const damage = event.crc === "bad" ? word("badCRC") : event.crc === "parity" ? word("badParity") : "";
    return h("h3", {}, h("span", {class: "arrow", "aria-hidden": "true"}, arrow), title, h("span", {class: "size"}, size),
      event.slot !== undefined && h("span", {class: "size"}, word("slot", {n: event.slot})),
      damage && h("span", {class: "flag"}, h("span", {class: "mark fault"}, "D"), damage),
      Number.isInteger(event.collision) && h("span", {class: "flag"}, h("span", {class: "mark fault"}, "D"), word("collision", {n: event.collision})));
  }

  function exchangeView(row, differs = {}) {
    const span = duration(row.end - row.t);
    return [
      h("div", {class: "title"},
        h("h2", {}, word("exchangeN", {n: row.n})),
        h("span", {class: "dim"}, word("at", {t: duration(row.t)}) + "  \u00b7  " + word(row.silence ? "waited" : "took", {t: span})),
        row.event.reader && h("span", {class: "dim"}, short(row.event.reader, 60)), row.event.src && h("span", {class: "dim"}, short(row.event.src, 80))),
      notices(row),
      h("article", {class: "frame"}, frameHead("\u25b6", word("sent"), row.event), h("p", {class: "is"}, short(row.event.is, 300)),
        bytesView(row.event.hex, row.event.fields, differs.command), openedView(row, 0)),
      row.answers.map((answer, index) => h("article", {class: "frame"},
        frameHead("\u25c0", word("cardAnswers", {card: short(answer.card || word("theCard"), 60)}), answer), h("p", {class: "is"}, short(answer.is, 300)),
        bytesView(answer.hex, answer.fields, index === 0 ? differs.answer : null),
        index === 0 && openedView(row, 1), stateLine(answer.state))),
      row.silence && h("article", {class: "frame quiet"}, h("h3", {}, h("span", {class: "arrow", "aria-hidden": "true"}, "\u25c0"), word("nobodyAnswers")),
        list(row.silence.states).map(item => stateLine(item.state, item.card))),
      row.call && callView(row.call, word("asked"))];
  }

  /** What an encrypted packet says, where the session of the card opens it; codes of answers are odd. */
  function openedView(row, parity) {
    return list(row.inside).filter(item => item.type === "opened" && (parseInt(str(item.event.hex).slice(2, 4), 16) & 1) === parity)
      .map(({event}) => [h("p", {class: "label"}, word("opened")), h("p", {class: "is"}, short(event.is, 300)), bytesView(event.hex, event.fields)]);
  }

  function stateLine(state, card) {
    if (state === undefined || state === null || state === "") return null;
    return h("p", {class: "card-state"}, h("span", {class: "label"}, word("stateOf"), card ? " " + short(card, 60) : ""), short(state, 400));
  }

  function notices(row) {
    const items = [
      ...row.failures.map(failure => [mark("bad", "\u2715", "markFail"), expectationWords(failure)]),
      ...row.faults.map(fault => [mark("fault", "F", "markFault"), [h("b", {}, faultMeaning(fault)), " ", (fault.is || fault.gloss) && h("code", {}, short(fault.fault, 160))]]),
      ...list(row.inside).filter(item => item.type === "card" || item.type === "field" || item.type === "note")
        .map(item => [h("span", {class: "mark silent"}, "i"), [eventCells(item)[1], h("span", {class: "dim"}, "  +" + duration(item.t - row.t))]])];
    return items.length > 0 && h("ul", {class: "notices"}, items.map(item => h("li", {}, item[0], h("span", {}, item[1]))));
  }

  function callView(row, title) {
    const event = row.event;
    return h("article", {class: "frame call-view"},
      h("h3", {}, h("b", {class: "layer"}, short(event.layer || "call", 12).toUpperCase()), title),
      event.function && h("p", {class: "is"}, short(event.function, 60), "  \u2192  ", short(event.result, 300)),
      event.is && h("p", {class: "is"}, short(event.is, 300)),
      isRefused(row) && h("p", {class: "refusal"}, mark("bad", "R", "markRefused"), word("markRefused"), event.hint && [": ", h("b", {}, short(event.hint, 300))]),
      !isRefused(row) && event.hint && h("p", {class: "dim"}, short(event.hint, 300)),
      event.hex && [h("p", {class: "label"}, word("toReader")), bytesView(event.hex, event.fields)],
      (event.answer || event.outcome) && h("p", {class: "label"}, word("fromReader"), event.outcome ? "  \u00b7  " + outcomeWords(event.outcome) : ""),
      event.answer && bytesView(event.answer, event.answer_fields));
  }

  function rowView(row) {
    if (!row) return h("p", {class: "empty"}, word("noneSelected"));
    if (row.type === "pair") return pairView(row);
    if (row.type === "exchange") return exchangeView(row);
    if (row.type === "call") {
      return [h("div", {class: "title"}, h("h2", {}, word("callTitle")), h("span", {class: "dim"}, word("at", {t: duration(row.t)}))), callView(row, "")];
    }
    return [h("div", {class: "title"}, h("h2", {}, eventCells(row)[1]), h("span", {class: "dim"}, word("at", {t: duration(row.t)}), row.event.measured ? "  \u00b7  " + word("measured") : "")),
      row.event.text && h("pre", {class: "block"}, short(row.event.text, 20000).replace(/\t/g, "    ").split("\n").map(line => h("div", {}, line))),
      row.event.src && h("p", {class: "dim"}, short(row.event.src, 120))];
  }

  // ---------------------------------------------------------------- panel: scenario
  function sourceMarks(row) {
    const {run} = page;
    const source = dict(run.source);
    const marks = new Map();
    const add = (line, kind) => { if (Number.isInteger(line)) marks.set(line, [...(marks.get(line) || []), kind]); };
    const here = file => file === undefined || !source.file || str(file).endsWith(str(source.file)) || str(source.file).endsWith(str(file));
    add(dict(run.case).line, "case");
    for (const failure of list(run.failures)) if (here(failure.file)) add(failure.line, "bad");
    for (const fault of list(run.faults)) if (here(fault.file)) add(fault.line, "fault");
    const real = row && (row.a || row.b || row);
    for (const event of real ? [real.event, ...list(real.answers), ...list(real.faults), ...list(real.inside).map(item => item.event)] : []) {
      const [, file, line] = /^(.*):(\d+)$/.exec(str(event.src)) || [];
      if (line && here(file)) add(Number(line), "here");
    }
    return marks;
  }

  const LINE_MARKS = {bad: ["\u2715", "lineFailed", "bad"], fault: ["F", "lineFault", "fault"], here: ["\u25b6", "lineHere", "here"], case: ["\u2022", "lineCase", "silent"]};

  function scenarioView(row) {
    const source = dict(page.run.source);
    const lines = list(source.lines);
    if (!lines.length) return h("p", {class: "empty"}, word("noSource"));
    const marks = sourceMarks(row);
    return [
      h("p", {class: "panel-head"}, h("code", {}, str(source.file)), Object.values(LINE_MARKS).map(([letter, label, kind]) =>
        h("span", {class: "legend"}, h("span", {class: "mark " + kind}, letter), word(label)))),
      h("div", {class: "source"}, lines.map((text, index) => {
        const number = num(source.first, 1) + index;
        const kinds = [...new Set(marks.get(number) || [])];
        return h("div", {class: "source-line " + kinds.map(kind => "is-" + kind).join(" "), "data-line": number},
          h("span", {class: "marks"}, kinds.map(kind => mark(LINE_MARKS[kind][2], LINE_MARKS[kind][0], LINE_MARKS[kind][1]))),
          h("span", {class: "num"}, number), h("code", {class: /^\s*#/.test(str(text)) ? "dim" : ""}, str(text) || " "));
      }))];
  }

  // ---------------------------------------------------------------- panel: output of the program
  function outputLines(model) {
    return model.rows.filter(row => row.type === "client").flatMap(row =>
      str(row.event.text).replace(/\r?\n$/, "").split(/\r?\n/).map(text => ({order: row.order, text, event: row.event})));
  }

  function outputView(row, whole) {
    const models = page.compare ? [[word("runA"), page.model, row && row.a], [word("runB"), page.other, row && row.b]] : [[null, page.model, row]];
    return models.map(([title, model, at]) => [title && h("h3", {}, title), outputOf(model, at, whole)]);
  }

  function outputOf(model, row, whole) {
    const lines = outputLines(model);
    if (!lines.length) return h("p", {class: "empty"}, word("noOutput"));
    const until = row ? Math.max(num(row.last, -1), num(row.order, -1)) : Infinity;
    let split = lines.findIndex(line => line.order > until);
    if (split < 0) split = lines.length;
    const [from, to] = whole || page.allOutput ? [0, lines.length] : [Math.max(0, split - 300), Math.min(lines.length, split + 200)];
    const line = item => h("div", {class: "out-line" + (item.event.stream === "err" ? " err" : "")},
      h("span", {class: "stream"}, item.event.stream === "err" ? "E" : ""),
      h("span", {class: "num"}, item.event.wall !== undefined ? num(item.event.wall).toFixed(0) + " ms" : ""), h("code", {}, item.text.replace(/\t/g, "    ") || " "));
    return h("div", {class: "output"},
      lines.slice(from, split).map(line),
      h("div", {class: "later", role: "separator", "aria-label": word("later")}, h("span", {}, split < lines.length ? word("later") + " \u2193" : word("before"))),
      h("div", {class: "after"}, lines.slice(split, to).map(line)),
      to - from < lines.length && button(word("showAll", {n: lines.length}), () => { page.allOutput = true; drawPanel(); }));
  }

  // ---------------------------------------------------------------- panel: expectations
  function exchangeLink(n) {
    if (!Number.isInteger(n)) return "";
    return page.model.byNumber.has(n) ? button("#" + n, () => { openTab("exchange"); select(page.model.byNumber.get(n), true); }, {class: "link"}) : "#" + n;
  }

  function expectView() {
    const {run} = page;
    const failures = list(run.failures), faults = list(run.faults), warnings = list(run.warnings), client = dict(run.client);
    return [
      failures.length ? [h("h3", {}, h("span", {class: "mark bad"}, "\u2715"), word("unmet")), failures.map(failureCard)]
        : h("p", {class: "all-met"}, h("span", {class: "mark ok"}, "\u2713"), word("allExpectations")),
      faults.length > 0 && [h("h3", {}, h("span", {class: "mark fault"}, "F"), word("plannedFaults")),
        table("grid", [word("fault"), word("meaning"), word("times"), word("injectedAt")], faults.map(fault => h("tr", {},
          h("td", {}, h("code", {}, short(fault.fault, 200))), h("td", {}, faultMeaning(fault)), h("td", {class: "num"}, str(fault.planned)),
          h("td", {}, list(fault.injected).length ? list(fault.injected).slice(0, 40).map(n => [exchangeLink(n), " "]) : word("never")))))],
      warnings.length > 0 && [h("h3", {}, h("span", {class: "mark fault"}, "!"), word("warnings")),
        h("ul", {class: "plain"}, warnings.map(item => h("li", {}, short(item.warning, 500), item.hint && h("div", {class: "dim"}, short(item.hint, 500)))))],
      (client.end || client.text) && [h("h3", {}, word("howEnded")), h("p", {}, short(client.end || endOf(client), 300)), client.text && h("p", {}, h("code", {}, short(client.text, 600)))]];
  }

  function failureCard(failure) {
    const [want, got] = differingWords(failure.expected, failure.got, 2000);
    return h("article", {class: "failure"},
      h("p", {class: "path"}, h("code", {}, short(failure.path, 300)), h("span", {class: "grow"}), h("span", {class: "dim"}, place(failure))),
      h("dl", {},
        h("dt", {}, word("want")), h("dd", {}, h("code", {}, want)),
        h("dt", {}, word("got")), h("dd", {}, h("code", {class: "wrong"}, got)),
        Number.isInteger(failure.exchange) && [h("dt", {}, word("nearest")), h("dd", {}, exchangeLink(failure.exchange), " ", nearestWords(failure.exchange))]),
      failure.hint && h("p", {class: "hint"}, short(failure.hint, 600)));
  }

  function nearestWords(n) {
    const row = page.model.byNumber.get(n);
    return row ? [h("span", {}, short(row.event.is, 160)), h("span", {class: "dim"}, " \u2192 "), answerWords(row)] : null;
  }

  // ---------------------------------------------------------------- panel: memory of the cards
  function memoryView(whole) {
    const cards = list(page.run.cards).filter(card => card.before || card.after);
    if (!cards.length) return h("p", {class: "empty"}, word("noMemory"));
    if (whole) return cards.map(card => cardMemory(card));
    page.card = Math.min(page.card, cards.length - 1);
    return [
      h("p", {class: "panel-head"},
        cards.length > 1 && cards.map((card, index) => button(short(card.name, 40), () => { page.card = index; drawPanel(); }, {"aria-pressed": String(index === page.card), class: "toggle"})),
        h("span", {class: "grow"}),
        button(word("onlyChanges"), () => { page.onlyChanges = !page.onlyChanges; drawPanel(); }, {"aria-pressed": String(page.onlyChanges), class: "toggle", id: "only-changes"})),
      cardMemory(cards[page.card])];
  }

  function cardMemory(card) {
    const before = dict(card.before || card.after), after = dict(card.after || card.before);
    const [count, view] = after.pages ? tagMemory(before, after) : felicaMemory(before, after);
    return [
      h("div", {class: "title"}, h("h2", {}, short(card.name, 60)), h("span", {class: "dim"}, short(card.is, 120)),
        h("span", {class: count ? "changed-count" : "dim"}, count ? "\u0394 " + word("changes", {n: count}) : word("unchanged"))),
      view];
  }

  /** A page or a block as it was and as it is: bytes that changed are underlined, and the old ones stand above. */
  function changedBytes(before, after) {
    const old = byteList(before), now = byteList(after);
    if (before === undefined || str(before) === str(after)) return [now.join(" ")];
    const mixed = (bytes, others, tag) => bytes.map((byte, at) => [byte === others[at] ? byte : h(tag, {}, byte), " "]);
    return [h("div", {class: "old"}, mixed(old, now, "del")), h("div", {}, mixed(now, old, "ins"))];
  }

  function tagMemory(before, after) {
    const pages = list(after.pages), old = list(before.pages), locked = new Set(list(after.locked)), wasLocked = new Set(list(before.locked));
    const first = num(after.first_protected, 255), notes = dict(after.notes);
    const changed = at => old[at] !== undefined && str(old[at]) !== str(pages[at]) || locked.has(at) !== wasLocked.has(at);
    const letters = at => (changed(at) ? "\u0394" : "") + (locked.has(at) ? "L" : "") + (at >= first ? "P" : "");
    const count = pages.filter((_, at) => changed(at)).length;
    const shown = pages.map((_, at) => at).filter(at => !page.onlyChanges || changed(at));
    return [count, [
      h("p", {class: "facts-line"}, h("code", {}, "UID " + grouped(after.uid)),
        h("span", {}, first > 254 ? word("unprotected") : word("protected", {n: first})),
        after.counter !== undefined && h("span", {}, word("counter", {n: before.counter !== undefined && before.counter !== after.counter ? before.counter + " \u2192 " + after.counter : after.counter}))),
      ndefView(before, after),
      h("h3", {}, word("pageMap"), h("span", {class: "size"}, word("mapLegend"))),
      h("div", {class: "map"}, pages.map((_, at) => h("button", {type: "button", class: "cell" + (changed(at) ? " is-changed" : "") + (locked.has(at) ? " is-locked" : "") + (at >= first ? " is-protected" : ""),
        "data-tip": `${word("page")} ${at} (${hexNumber(at)})  ${letters(at)}  ${str(notes[at])}`, "aria-label": `${word("page")} ${at} ${letters(at)}`,
        click: event => { const line = event.currentTarget.closest(".panel, #printed").querySelector(`[data-page="${at}"]`); if (line) line.scrollIntoView({block: "center"}); }}, letters(at) || "\u00b7"))),
      h("h3", {}, word("pages")),
      table("grid pages", [word("page"), "", word("fBytes"), "ASCII", word("marks"), word("fNote")], shown.map(at => h("tr", {class: changed(at) ? "changed" : "", "data-page": at},
        h("td", {class: "num"}, at), h("td", {class: "dim mono"}, hexNumber(at)), h("td", {class: "mono"}, changedBytes(old[at], pages[at])), h("td", {class: "mono"}, ascii(pages[at])),
        h("td", {class: "letters"}, letters(at), locked.has(at) && h("span", {class: "unseen"}, word("locked"))), h("td", {class: "dim"}, short(notes[at], 200)))))]];
  }
  const hexNumber = at => at.toString(16).toUpperCase().padStart(2, "0") + "h";

  function ndefView(before, after) {
    const records = (title, items) => [h("h3", {}, title), items.length
      ? table("grid", null, items.map(record => h("tr", {}, h("td", {}, short(record.is, 80)), h("td", {}, h("code", {}, short(record.value, 2000))))))
      : h("p", {class: "dim"}, word("noNdef"))];
    const now = list(after.ndef), old = list(before.ndef);
    if (JSON.stringify(now) === JSON.stringify(old)) return records(word("ndef"), now);
    return [records(word("ndefBefore"), old), records(word("ndef"), now)];
  }

  function felicaMemory(before, after) {
    let count = 0;
    const oldServices = new Map(list(before.systems).flatMap(system => list(system.services).map(service => [system.code + "/" + service.code, service])));
    const systems = list(after.systems).map(system => h("section", {class: "system"},
      h("h3", {}, word("system", {code: str(system.code)}), system.idm && h("span", {class: "size"}, "IDm " + str(system.idm))),
      list(system.services).map(service => {
        const [changes, view] = serviceView(oldServices.get(system.code + "/" + service.code) || service, service);
        count += changes;
        return !page.onlyChanges || changes ? view : null;
      }), !list(system.services).length && h("p", {class: "dim"}, word("noServices"))));
    return [count, [h("p", {class: "facts-line"}, after.idm && h("code", {}, "IDm " + grouped(after.idm)), after.pmm && h("code", {}, "PMm " + grouped(after.pmm))), systems]];
  }

  function serviceView(before, service) {
    const blocks = list(service.blocks), old = list(before.blocks);
    const changed = at => old[at] !== undefined && str(old[at].hex) !== str(blocks[at].hex);
    const changes = blocks.filter((_, at) => changed(at)).length;
    const names = [...new Set(blocks.flatMap(block => list(block.fields).map(field => str(field.name))))];
    const shown = blocks.map((_, at) => at).filter(at => !page.onlyChanges || changed(at));
    const heads = names.map(name => (blocks.every(block => isNumber(dict(fieldsByName(block).get(name)).value)) ? new Numeric(name) : name));
    const rows = names.length ? shown.flatMap(at => recordRows(at, names, old[at], blocks[at], changed(at))) : shown.map(at => h("tr", {class: changed(at) ? "changed" : ""},
      h("td", {class: "num"}, label(blocks[at], at)), h("td", {class: "letters"}, changed(at) && "\u0394"), h("td", {class: "mono"}, changedBytes(dict(old[at]).hex, blocks[at].hex)), h("td", {class: "mono"}, ascii(blocks[at].hex))));
    const view = h("details", {class: "service", open: true},
      h("summary", {}, h("code", {}, str(service.code)), h("b", {}, short(service.name, 80)), h("span", {class: "dim"}, short(service.is, 160)),
        h("span", {class: "dim"}, word("blocks", {n: blocks.length})), changes > 0 && h("span", {class: "changed-count"}, "\u0394 " + word("changes", {n: changes}))),
      h("div", {class: "scroll"}, table("grid records", names.length ? [new Numeric(word("block")), "", ...heads] : [word("block"), "", word("fBytes"), "ASCII"], rows)));
    return [changes, view];
  }

  const isNumber = value => /^[-+]?[\d,.]*$/.test(str(value));

  /** The number of a block, which is its place unless the numbers of a service have gaps. */
  function label(block, at) {
    return Number.isInteger(block.number) ? block.number : at;
  }
  function fieldsByName(block) {
    return new Map(list(block.fields).map(field => [str(field.name), field]));
  }

  function recordRows(at, names, before, block, changed) {
    const now = fieldsByName(block), old = fieldsByName(dict(before));
    const cell = (fields, others, tag) => names.map(name => {
      const field = fields.get(name);
      if (!field) return h("td", {});
      const text = [short(field.value, 60), field.note ? [" ", h("span", {class: "dim"}, short(field.note, 80))] : null];
      const differs = changed && str(dict(others.get(name)).value) !== str(field.value);
      return h("td", {class: isNumber(field.value) ? "num" : ""}, differs ? h(tag, {}, text) : text);
    });
    const row = h("tr", {class: changed ? "changed" : "", title: grouped(block.hex)}, h("td", {class: "num"}, label(block, at)), h("td", {class: "letters"}, changed && "\u0394"), cell(now, old, "ins"));
    return changed ? [h("tr", {class: "old-row"}, h("td", {class: "dim"}, word("wasBefore")), h("td", {}), cell(old, now, "del")), row] : [row];
  }

  // ---------------------------------------------------------------- two runs side by side
  const answerKey = row => row.answers.map(answer => str(answer.hex)).join("/") + (row.silence ? "-" : "");
  const sameCommand = (a, b) => str(a.event.hex) === str(b.event.hex);
  const NEAR = 40;

  function pairsOf(first, second) {
    const a = first.exchanges, b = second.exchanges, pairs = [];
    const add = (left, right) => pairs.push({
      type: "pair", a: left, b: right, n: (left || right).n, t: (left || right).t, event: {}, index: pairs.length,
      same: Boolean(left && right) && sameCommand(left, right) && answerKey(left) === answerKey(right),
      failures: left ? left.failures : [], faults: [...(left ? left.faults : []), ...(right ? right.faults : [])]});
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && sameCommand(a[i], b[j])) { add(a[i++], b[j++]); continue; }
      const [left, right] = nextMeeting(a, i, b, j);
      const both = Math.min(left, right);
      for (let k = 0; k < both; k++) add(a[i++], b[j++]);
      for (let k = both; k < left; k++) add(a[i++], null);
      for (let k = both; k < right; k++) add(null, b[j++]);
    }
    return pairs;
  }

  function nextMeeting(a, i, b, j) {
    for (let far = 1; far <= NEAR * 2; far++) {
      for (let left = 0; left <= far; left++) {
        const x = i + left, y = j + far - left;
        if (x < a.length && y < b.length && sameCommand(a[x], b[y])) return [left, far - left];
      }
    }
    return [Math.min(a.length - i, NEAR), Math.min(b.length - j, NEAR)];
  }

  function pairCells(pair) {
    const side = (row, label) => row
      ? h("span", {class: "side"}, h("span", {}, short(row.event.is || grouped(row.event.hex), 120)),
        h("span", {class: "to"}, "\u2192 ", answerWords(row)))
      : h("span", {class: "side dim"}, word(label));
    const first = page.firstDifference === pair;
    return ["pair" + (pair.same ? "" : " differs") + (first ? " first" : ""), [
      h("span", {class: "marks"}, first && h("span", {class: "mark here"}, "1"), marksOf(pair)), h("span", {class: "n"}, str(pair.n)), side(pair.a, "onlyB"),
      h("span", {class: "equal", role: "img", "aria-label": word(pair.same ? "same" : "differs")}, pair.same ? "=" : "\u2260"), side(pair.b, "onlyA")]];
  }

  function differing(a, b) {
    const left = byteList(a), right = byteList(b), found = new Set();
    for (let at = 0; at < Math.max(left.length, right.length); at++) if (left[at] !== right[at]) found.add(at);
    return found;
  }

  function pairView(pair) {
    const differs = pair.a && pair.b ? {
      command: differing(pair.a.event.hex, pair.b.event.hex),
      answer: differing(dict(pair.a.answers[0]).hex, dict(pair.b.answers[0]).hex)} : {};
    const side = (row, title, missing) => h("section", {class: "half"}, h("p", {class: "half-title"}, title), row ? exchangeView(row, differs) : h("p", {class: "empty"}, word(missing)));
    return h("div", {class: "halves"}, side(pair.a, word("runA"), "onlyB"), side(pair.b, word("runB"), "onlyA"));
  }

  function comparison() {
    const pair = page.firstDifference;
    return h("p", {class: "compared"}, h("span", {class: "half-title"}, word("runB")), badge(dict(page.other.run).passed === true),
      h("span", {}, pair ? word("firstDiff", {n: pair.n}) : word("sameBoth")), pair && button(word("jumpDiff"), goToDifference, {id: "first-difference"}));
  }

  function toggleCompare() {
    page.compare = !page.compare;
    page.selected = null;
    build();
    select(page.compare ? page.firstDifference || page.pairs[0] : page.model.focus, true);
  }

  // ---------------------------------------------------------------- panels
  const TABS = [["exchange", "tabExchange"], ["scenario", "tabScenario"], ["output", "tabOutput"], ["expect", "tabExpect"], ["memory", "tabMemory"]];

  function panelContent(tab, whole = false) {
    const row = page.selected;
    switch (tab) {
      case "scenario": return scenarioView(row);
      case "output": return outputView(row, whole);
      case "expect": return expectView();
      case "memory": return memoryView(whole);
      default: return rowView(row);
    }
  }

  function drawPanel() {
    const panel = byId("panel");
    const kept = panel.dataset.tab === page.tab && page.tab !== "exchange" ? panel.scrollTop : 0;
    panel.replaceChildren();
    fill(panel, [panelContent(page.tab)]);
    panel.dataset.tab = page.tab;
    panel.setAttribute("aria-labelledby", "tab-" + page.tab);
    panel.scrollTop = kept;
    const wanted = page.tab === "scenario" ? panel.querySelector(".is-here") || panel.querySelector(".is-bad") || panel.querySelector(".is-case")
      : page.tab === "output" ? panel.querySelector(".later") : null;
    if (wanted) panel.scrollTop = wanted.offsetTop - panel.clientHeight / 2;
  }

  function openTab(tab) {
    page.tab = tab;
    for (const [name] of TABS) {
      const element = byId("tab-" + name);
      element.setAttribute("aria-selected", String(name === tab));
      element.tabIndex = name === tab ? 0 : -1;
    }
    drawPanel();
  }

  function tabKeys(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const index = TABS.findIndex(([name]) => name === page.tab);
    const [next] = TABS[(index + step + TABS.length) % TABS.length];
    openTab(next);
    byId("tab-" + next).focus();
    event.stopPropagation();
    event.preventDefault();
  }

  // ---------------------------------------------------------------- workbench
  function toggle(name, key) {
    return button(word(key), () => { page.show[name] = !page.show[name]; syncToggles(); refreshList(); bringIntoSight(page.selected, true); },
      {class: "toggle", id: "show-" + name, "aria-pressed": String(page.show[name])});
  }
  const syncToggles = () => Object.entries(page.show).forEach(([name, on]) => {
    if (byId("show-" + name)) byId("show-" + name).setAttribute("aria-pressed", String(on));
  });

  function tools() {
    return h("div", {class: "tools"},
      h("input", {id: "search", type: "search", placeholder: word("search") + "  /", "aria-label": word("search"), value: page.query, autocomplete: "off", spellcheck: "false",
        input: event => { page.query = event.target.value; byId("rows").scrollTop = 0; refreshList(); }}),
      !page.compare && page.model.rows.some(row => row.type === "call") && toggle("calls", "calls"),
      !page.compare && toggle("events", "events"),
      !page.compare && page.model.rows.some(row => row.type === "client") && toggle("output", "output"),
      toggle("marked", "marked"),
      h("span", {id: "count", class: "dim", role: "status"}));
  }

  function listHead() {
    const cells = page.compare ? ["", "#", word("runA"), "", word("runB")] : ["", "#", "ms", word("colCommand"), word("colAnswer")];
    const classes = page.compare ? ["marks", "n", "side", "equal", "side"] : ["marks", "n", "time", "command", "answer"];
    return h("div", {class: "row list-head" + (page.compare ? " pair" : ""), "aria-hidden": "true"}, cells.map((text, index) => h("span", {class: classes[index]}, text)));
  }

  function workbench() {
    return h("main", {class: "bench" + (page.compare ? " comparing" : "")},
      h("section", {class: "list", "aria-label": word("exchanges")}, tools(), listHead(),
        h("div", {id: "rows", role: "listbox", tabindex: "0", "aria-label": word("exchanges")}, h("div", {id: "spacer"}), h("p", {id: "none", class: "empty", hidden: true}, word("noRows")))),
      h("section", {class: "detail"},
        h("div", {class: "tabs", role: "tablist", keydown: tabKeys}, TABS.map(([name, key], index) => h("button", {
          type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel", "aria-selected": String(name === page.tab), tabindex: name === page.tab ? 0 : -1, click: () => openTab(name), title: String(index + 1)},
          word(key), name === "expect" && list(page.run.failures).length > 0 && h("span", {class: "mark bad"}, list(page.run.failures).length)))),
        h("div", {id: "panel", class: "panel", role: "tabpanel", tabindex: "0"})));
  }

  // ---------------------------------------------------------------- help
  const KEYS = [["j k \u2193 \u2191", "keysMove"], ["\u2192 \u2190", "keysFold"], ["/", "keysSearch"], ["f", "keysFault"], ["e", "keysFail"], ["c", "keysCalls"],
    ["1 \u2026 5", "keysTabs"], ["d", "keysDiff"], ["?", "keysHelp"]];

  // ---------------------------------------------------------------- keyboard
  const ACTIONS = {
    j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
    PageDown: () => move(12), PageUp: () => move(-12), Home: () => move(-Infinity), End: () => move(Infinity),
    ArrowRight: () => foldSelected(true), ArrowLeft: () => foldSelected(false),
    "/": () => { byId("search").focus(); byId("search").select(); },
    f: () => goToFault(1), F: () => goToFault(-1), e: goToFailure, d: goToDifference, "?": () => openHelp(KEYS),
    c: () => { if (byId("show-calls")) byId("show-calls").click(); },
  };
  // Keys that also scroll: they move in the list unless a scrolling panel has the focus.
  const SCROLLING = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "ArrowRight", "ArrowLeft"]);

  function keyPressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help")) return;
    const target = event.target;
    if (event.key === "Escape") {
      byId("tip").hidden = true;
      if (target.id === "search") { page.query = target.value = ""; refreshList(); byId("rows").focus(); bringIntoSight(page.selected, true); }
      return;
    }
    if (target.id === "search") {
      if (event.key === "Enter" || event.key === "ArrowDown") { byId("rows").focus(); if (!page.view.includes(page.selected)) move(1); event.preventDefault(); }
      return;
    }
    if (SCROLLING.has(event.key) && target.closest && target.closest(".panel")) return;
    const tab = TABS[Number(event.key) - 1];
    const action = tab ? () => openTab(tab[0]) : ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // ---------------------------------------------------------------- print: everything opened, one below the other
  const PRINTED_ROWS = 1500;

  function preparePrint() {
    if (byId("printed")) return;
    const rows = page.view;
    const at = Math.max(0, Math.min(rows.indexOf(page.selected) - PRINTED_ROWS / 2, rows.length - PRINTED_ROWS));
    const part = rows.slice(at, at + PRINTED_ROWS);
    const sheet = h("div", {id: "printed"},
      h("h2", {class: "sheet"}, word("exchanges")), listHead(),
      part.map(row => { const [className, cells] = page.compare ? pairCells(row) : rowCells(row); return h("div", {class: "row " + className}, cells); }),
      rows.length > part.length && h("p", {class: "dim"}, word("printCut", {n: rows.length - part.length})),
      TABS.map(([name, key]) => [h("h2", {class: "sheet"}, word(key)), h("section", {}, panelContent(name, true))]));
    byId("app").append(sheet);
  }
  const forgetPrint = () => byId("printed") && byId("printed").remove();

  // ---------------------------------------------------------------- start
  function build() {
    document.title = visible(`${word(page.run.passed === true ? "passed" : "failed")}: ${short(dict(page.run.case).name || page.run.name, 80)} \u2013 TapSim`);
    const time = h("div", {id: "time"});
    byId("app").replaceChildren(headBar(), verdict(),
      h("section", {class: "time-bar", "aria-label": word("overTime")}, h("p", {class: "time-head"}, h("b", {}, word("overTime")), h("span", {class: "grow"}), h("span", {class: "dim"}, word("legend"))), time),
      workbench());
    drawTime(time);
    refreshList();
    byId("rows").addEventListener("scroll", () => requestAnimationFrame(drawRows), {passive: true});
    drawPanel();
  }

  function redraw() {
    for (const row of page.model.rows) delete row.hay;
    build();
    bringIntoSight(page.selected, true);
  }

  function listen() {
    document.addEventListener("keydown", keyPressed);
    for (const name of ["pointerover", "focusin"]) document.addEventListener(name, event => { showTip(event); lightGroup(event, true); });
    for (const name of ["pointerout", "focusout"]) document.addEventListener(name, event => { byId("tip").hidden = true; lightGroup(event, false); });
    window.addEventListener("beforeprint", preparePrint);
    window.addEventListener("afterprint", forgetPrint);
    matchMedia("print").addEventListener("change", event => (event.matches ? preparePrint() : forgetPrint()));
    let width = innerWidth;
    window.addEventListener("resize", () => {
      drawRows();
      if (innerWidth !== width) { width = innerWidth; drawTime(byId("time")); }
    });
  }

  function start() {
    const run = readRun();
    if (!run) return;
    page.run = run;
    page.model = modelOf(run);
    if (run.other && typeof run.other === "object") {
      page.other = modelOf(run.other);
      page.pairs = pairsOf(page.model, page.other);
      page.firstDifference = page.pairs.find(pair => !pair.same);
      page.compare = page.pairs.length > 0;
    }
    if (page.model.isGuess && run.passed !== true) page.tab = "expect";
    build();
    listen();
    const asked = page.model.byNumber.get(Number(location.hash.slice(1)));
    select(page.compare && !asked ? page.firstDifference || page.pairs[0] : asked || page.model.focus, true);
  }

  start();
})();
