// Two bulk endpoints of a USB reader, and how every page must use them.
"use strict";

// A reader error, or its removal, as a message for the user.
class ReaderError extends Error {
  constructor(text = "The reader gives no answer that makes sense. Unplug it and try again.") { super(text); }
}

class Pipe {
  // A multiple of the 64-byte packet size: a longer answer is a babble, which ends the transfer.
  static LONGEST = 576;
  // Readers answer within the card's time limit, so this limit is for a reader that does not answer at all.
  static LIMIT = 5000;

  constructor(device, interfaceNumber, out, into) { Object.assign(this, {device, interfaceNumber, out, into}); }

  async open() {
    try {
      await this.device.open();
      if (!this.device.configuration) await this.device.selectConfiguration(1);
      await this.device.claimInterface(this.interfaceNumber);
    } catch { throw new ReaderError("The reader cannot be opened. Close other programs and pages that use it."); }
  }

  async close() {
    try { await this.device.close(); } catch { /* It is gone already. */ }
  }

  async send(bytes) {
    const {status} = await this.limited(this.device.transferOut(this.out, bytes));
    if (status !== "ok") throw new ReaderError();
  }

  async receive() {
    const {status, data} = await this.limited(this.device.transferIn(this.into, Pipe.LONGEST));
    if (status !== "ok") throw new ReaderError();
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }

  // WebUSB has no time limit for a transfer; closing the device ends it.
  async limited(transfer) {
    let timer;
    const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new ReaderError("The reader does not answer.")), Pipe.LIMIT); });
    try {
      return await Promise.race([transfer, late]);
    } catch (error) {
      throw error instanceof DOMException ? new ReaderError("The reader was unplugged while it was used.") : error;
    } finally {
      clearTimeout(timer);
    }
  }
}
