// Mistakes that pages make, on request (`?mistake=length` or `?mistake=flags,patience`), for tapsim fuzz to find them.
"use strict";

const MISTAKES = {
  // Fields are cut out at their places, whatever transferIn has brought.
  length() {
    RCS380.prototype.data = frame => frame.slice(10, -2);
    RCS380.prototype.answer = data => data.slice(5);
    checks.answer = checks.blocks = () => {};
  },
  // A refusal is taken for an answer, which has no records.
  flags() {
    checks.status = checks.blocks = () => {};
  },
  // What could not be read is left out.
  partial() {
    const all = readRecords;
    readRecords = async (...words) => { try { return await all(...words); } catch { return []; } };
  },
  // A card that does not answer is asked for ever.
  patience() {
    checks.patience = () => true;
  },
};

// Whoever makes a mistake believes the first reading; the correct page makes none.
const names = new URLSearchParams(location.search).get("mistake")?.split(",") ?? [];
for (const name of names.filter(name => name in MISTAKES)) {
  checks.agreement = () => true;
  MISTAKES[name]();
}
