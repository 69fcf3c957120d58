// Sony RC-S380: the host sends FeliCa packets through an NFC Port-100, which acknowledges each command, then answers it.
"use strict";

class RCS380 {
  static filters = [0x06C1, 0x06C3].map(productId => ({vendorId: 0x054C, productId}));
  static ACK = Uint8Array.of(0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00);
  // The time limit for a card, in tenths of a millisecond.
  static CARD_TIME = 1000;

  constructor(device) { this.usb = new Pipe(device, 0, 2, 1); }

  async open() {
    await this.usb.open();
    await this.usb.send(RCS380.ACK);
    await this.command(0x2A, [0x01]);
    await this.command(0x06, [0x00]);
    await this.command(0x00, [0x01, 0x01, 0x0F, 0x01]);
    await this.command(0x02, [0x00, 0x18, 0x01, 0x01, 0x02, 0x01, 0x03, 0x00, 0x04, 0x00, 0x05, 0x00, 0x06, 0x00, 0x07, 0x08, 0x08, 0x00,
      0x09, 0x00, 0x0A, 0x00, 0x0B, 0x00, 0x0C, 0x00, 0x0E, 0x04, 0x0F, 0x00, 0x10, 0x00, 0x11, 0x00, 0x12, 0x00, 0x13, 0x06]);
    await this.command(0x02, [0x00, 0x18]);
  }

  close() { return this.usb.close(); }

  // Returns the answer to a packet, LEN first; `null` for silence or a wrong CRC.
  async exchange(packet) {
    const answer = await this.command(0x04, [RCS380.CARD_TIME & 0xFF, RCS380.CARD_TIME >> 8, ...packet]);
    return this.answer(answer);
  }

  answer(data) {
    // Four status bytes, little-endian; then the bit count of the last byte, and the packet.
    if (data.length < 4) throw new ReaderError();
    return data.slice(0, 4).some(byte => byte) ? null : data.slice(5);
  }

  // Sends a command and returns the data of its answer.
  async command(code, data) {
    await this.usb.send(RCS380.frame([0xD6, code, ...data]));
    const acknowledgement = await this.usb.receive();
    if (hex(acknowledgement) !== hex(RCS380.ACK)) throw new ReaderError();
    return this.data(await this.usb.receive(), code);
  }

  // 00 00 FF FF FF | LEN (2, low byte first) | LCS | packet | DCS | 00; LEN and LCS add up to zero, and so do packet and DCS.
  static frame(packet) {
    const low = packet.length & 0xFF, high = packet.length >> 8, sum = packet.reduce((sum, byte) => sum + byte, 0);
    return Uint8Array.from([0x00, 0x00, 0xFF, 0xFF, 0xFF, low, high, -(low + high) & 0xFF, ...packet, -sum & 0xFF, 0x00]);
  }

  data(frame, code) {
    const length = frame.length - 10;
    const packet = frame.slice(8, -2);
    if (length < 2 || (frame[5] | frame[6] << 8) !== length || packet[0] !== 0xD7 || packet[1] !== code + 1) throw new ReaderError();
    if (hex(frame) !== hex(RCS380.frame([...packet]))) throw new ReaderError();
    return packet.slice(2);
  }
}
