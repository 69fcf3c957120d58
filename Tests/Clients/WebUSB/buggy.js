// Typical mistakes of pages, enabled on request (`?mistake=length` or `?mistake=flags,patience`), for tapsim fuzz to find.
"use strict";

const MISTAKES = {
  // Extracts fields at fixed positions, whatever transferIn has received.
  length() {
    RCS380.prototype.data = frame => frame.slice(10, -2);
    RCS380.prototype.answer = data => data.slice(5);
    checks.answer = checks.blocks = () => {};
  },
  // Treats a refusal as an answer without records.
  flags() {
    checks.status = checks.blocks = () => {};
  },
  // Omits records that cannot be read.
  partial() {
    const all = readRecords;
    readRecords = async (...words) => { try { return await all(...words); } catch { return []; } };
  },
  // Retries forever if a card does not answer.
  patience() {
    checks.patience = () => true;
  },
};

// Buggy pages trust the first reading; the correct page compares two.
const names = new URLSearchParams(location.search).get("mistake")?.split(",") ?? [];
for (const name of names.filter(name => name in MISTAKES)) {
  checks.agreement = () => true;
  MISTAKES[name]();
}
