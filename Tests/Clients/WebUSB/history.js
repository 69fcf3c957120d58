// The history of Japanese transit cards, read with any reader that sends a FeliCa packet and returns the answer.
"use strict";

const SYSTEM = 0x0003, HISTORY = 0x090F;
const RECORDS = 20, RECORDS_AT_ONCE = 4, BLOCK = 16;
// The number of attempts before an error is shown: while waiting for a card, and with a card present.
const POLLS = 20, ATTEMPTS = 3, PAUSE = 50;

// The error, as a message for the user.
class CardError extends Error {}

// An answer that violates the manual; a retry may help.
class Damaged extends CardError {
  constructor() { super("The answer of the card is damaged. Try again."); }
}

// The checks of a correct page before it trusts an answer.
const checks = {
  // LEN, the response code, and the IDm of the card that was found.
  answer(packet, code, least, idm = []) {
    if (packet.length < least || packet[0] !== packet.length || packet[1] !== code) throw new Damaged();
    if (idm.some((byte, at) => byte !== packet[2 + at])) throw new CardError("Another card answers. Keep one card on the reader.");
  },
  status(packet) {
    if (packet[10] || packet[11]) throw new CardError(`The card refuses to be read: status flags ${hex(packet.slice(10, 12), " ")}.`);
  },
  blocks(packet, count) {
    if (packet.length !== 13 + BLOCK * count || packet[12] !== count) throw new Damaged();
  },
  // Returns whether to retry after this many failed attempts.
  patience(times, limit) { return times < limit; },
  // Returns whether two readings agree; records may be stale, repeated or torn, which no single answer shows.
  agreement(one, other) { return JSON.stringify(one) === JSON.stringify(other); },
};

const hex = (bytes, between = "") => [...bytes].map(byte => byte.toString(16).padStart(2, "0").toUpperCase()).join(between);
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const packet = bytes => Uint8Array.from([bytes.length + 1, ...bytes]);

async function findCard(reader) {
  for (let times = 0; checks.patience(times, POLLS); times++) {
    const answer = await reader.exchange(packet([0x00, SYSTEM >> 8, SYSTEM & 0xFF, 0x00, 0x00]));
    if (answer) {
      try {
        checks.answer(answer, 0x01, 18);
        return answer.slice(2, 10);
      } catch (error) { if (!(error instanceof Damaged)) throw error; }
    }
    await pause(PAUSE);
  }
  throw new CardError("No card answers. Put a transit card on the reader and try again.");
}

async function readRecords(reader, idm, first, count) {
  const list = Array.from({length: count}, (_, at) => [0x80, first + at]).flat();
  const command = packet([0x06, ...idm, 1, HISTORY & 0xFF, HISTORY >> 8, count, ...list]);
  let problem;
  for (let times = 0; checks.patience(times, ATTEMPTS); times++) {
    const answer = await reader.exchange(command);
    try {
      if (!answer) throw new CardError("The card was taken away while it was read. Hold it still and try again.");
      checks.answer(answer, 0x07, 12, idm);
      checks.status(answer);
      checks.blocks(answer, count);
      return Array.from({length: count}, (_, at) => answer.slice(13 + BLOCK * at, 13 + BLOCK * (at + 1)));
    } catch (error) {
      problem = error;
      if (answer && !(error instanceof Damaged)) throw error;
    }
    await pause(PAUSE);
  }
  throw problem;
}

// A record has its date in bytes 4 and 5 (years since 2000, month, day) and the balance in bytes 10 and 11, low byte first.
function trip(record) {
  const date = record[4] << 8 | record[5], two = number => String(number).padStart(2, "0");
  return {
    date: `${2000 + (date >> 9)}-${two(date >> 5 & 0x0F)}-${two(date & 0x1F)}`,
    balance: record[10] | record[11] << 8,
  };
}

async function readOnce(reader) {
  const idm = await findCard(reader), records = [];
  for (let first = 0; first < RECORDS; first += RECORDS_AT_ONCE) records.push(...await readRecords(reader, idm, first, RECORDS_AT_ONCE));
  const trips = records.filter(record => record[0]).map(trip);
  return {idm: hex(idm), balance: trips.length ? trips[0].balance : null, trips};
}

// Returns the IDm, the balance and the trips, newest first, once two readings agree.
async function readHistory(reader) {
  let before = await readOnce(reader);
  for (let times = 0; times < ATTEMPTS; times++) {
    const card = await readOnce(reader);
    if (checks.agreement(card, before)) return before;
    before = card;
  }
  throw new CardError("The card reads differently each time. Hold it still and try again.");
}
