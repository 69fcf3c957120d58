// Sony RC-S300: APDUs in CCID-like messages, on the vendor-specific interface.
"use strict";

class RCS300 {
  static filters = [0x0DC8, 0x0DC9].map(productId => ({vendorId: 0x054C, productId}));
  static HEADER = 10;
  // The time limit for a card, in microseconds.
  static CARD_TIME = 100000;
  static NO_ANSWER = "6401";

  constructor(device) {
    this.usb = new Pipe(device, 1, 2, 2);
    this.sequence = 0;
  }

  async open() {
    await this.usb.open();
    await this.manage([0x82, 0x00, 0x00]);    // end a previous session
    await this.manage([0x81, 0x00, 0x00]);    // begin ours
    await this.manage([0x83, 0x00, 0x00]);    // field off
    await pause(20);
    await this.manage([0x84, 0x00, 0x00]);    // field on
    await pause(20);
    this.check(await this.transmit([0xFF, 0x50, 0x00, 0x02, 0x04, 0x8F, 0x02, 0x03, 0x00, 0x00]));    // FeliCa
  }

  async close() {
    try { await this.manage([0x83, 0x00, 0x00]); await this.manage([0x82, 0x00, 0x00]); } catch { /* It may be gone. */ }
    await this.usb.close();
  }

  // Returns the answer to a packet, LEN first; `null` for silence or a wrong CRC.
  async exchange(packet) {
    const time = [0, 8, 16, 24].map(shift => RCS300.CARD_TIME >> shift & 0xFF);
    const data = [0x5F, 0x46, 0x04, ...time, 0x95, 0x82, packet.length >> 8, packet.length & 0xFF, ...packet];
    const apdu = [0xFF, 0x50, 0x00, 0x01, 0x00, data.length >> 8, data.length & 0xFF, ...data, 0x00, 0x00, 0x00];
    return this.answer(await this.transmit(apdu));
  }

  answer(data) {
    const objects = RCS300.objects(data);
    const status = objects.get(0xC0);
    if (!status || status.length !== 3) throw new ReaderError();
    if (hex(status.slice(1)) === RCS300.NO_ANSWER) return null;
    return hex(status) === "009000" && objects.get(0x97) || null;
  }

  async manage(data) {
    const [action, ...rest] = data;
    this.check(await this.transmit([0xFF, 0x50, 0x00, 0x00, 0x02, action, ...rest]));
  }

  check(data) {
    if (hex(data) !== "C003009000") throw new ReaderError();
  }

  // Sends an APDU and returns the data of its answer, whose status word must be 9000.
  async transmit(apdu) {
    this.sequence = this.sequence + 1 & 0xFF;
    const length = [0, 8, 16, 24].map(shift => apdu.length >> shift & 0xFF);
    await this.usb.send(Uint8Array.from([0x6B, ...length, 0x00, this.sequence, 0x00, 0x00, 0x00, ...apdu]));
    return this.data(await this.usb.receive());
  }

  data(message) {
    const length = message.length - RCS300.HEADER;
    if (length < 2 || message[0] !== 0x83 || message[6] !== this.sequence) throw new ReaderError();
    if ([0, 8, 16, 24].some((shift, at) => message[1 + at] !== (length >> shift & 0xFF))) throw new ReaderError();
    if (hex(message.slice(-2)) !== "9000") throw new ReaderError();
    return message.slice(RCS300.HEADER, -2);
  }

  // Returns the data objects of an answer by tag: one-byte tags, lengths of one to three bytes.
  static objects(data) {
    const objects = new Map();
    for (let at = 0; at < data.length;) {
      const tag = data[at];
      let length = data[at + 1];
      at += 2;
      if (length > 0x80) {
        const digits = length & 0x7F;
        length = data.slice(at, at + digits).reduce((sum, byte) => sum << 8 | byte, 0);
        at += digits;
      }
      if (!(at + length <= data.length)) throw new ReaderError();
      objects.set(tag, data.slice(at, at + length));
      at += length;
    }
    return objects;
  }
}
