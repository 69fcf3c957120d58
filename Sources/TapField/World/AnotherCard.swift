import TapCards
import TapWire

extension CardEngine {
    /// Returns another card of the same kind: with a different IDm or UID, different amounts in its histories and different
    /// letters in its message, all of the same size, so that a mix of both cards can be told from either.
    package func another() -> Self {
        let other = withAnotherIdentifier()
        if var tag = other as? NTAGCard {
            tag.rewriteMessage({ image, _ in image.message = otherLetters(image.message) }, .none)
            return tag as? Self ?? other
        }
        guard var card = other as? any FeliCaEngine else { return other }
        card.rewriteMessage({ image, _ in image.message = otherLetters(image.message) }, .none)
        card.rewriteHistories(OtherAmounts(), .none)
        card.changeTransitBalance()
        return card as? Self ?? other
    }
}

/// A history of the same length with other amounts and other numbers.
private struct OtherAmounts: HistoryChange {
    static let difference: UInt32 = 1_290
    private static let serialDifference: UInt32 = 40

    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _ arguments: FaultArguments) {
        for index in entries.indices {
            entries[index].money &+= Self.difference
            entries[index].serial &+= Self.serialDifference
        }
    }
}

extension FeliCaEngine {
    /// Keeps the transit balance consistent with the newest history record.
    fileprivate mutating func changeTransitBalance() {
        let service = TransitServices.balance.code
        guard let block = blocks(of: service, in: .transit)?.first else { return }
        var balance = TransitBalance(block)
        balance.balance &+= UInt16(OtherAmounts.difference)
        replaceBlocks(of: service, in: .transit, with: [balance.stored])
    }
}

/// Returns a message with different letters and digits after the part that identifies each record; unchanged if it is not a
/// valid message.
private func otherLetters(_ message: [UInt8]) -> [UInt8] {
    guard var changed = try? NDEFMessage(parsing: message) else { return message }
    changed.records = changed.records.map { record in
        var payload = record.payload
        for index in payload.indices.dropFirst(record.headLength) { payload[index] = otherLetter(payload[index]) }
        let other = try? NDEFRecord(
            format: record.format, type: record.type, id: record.id, payload: payload, isChunked: record.isChunked,
            isLong: record.isLong)
        return other ?? record
    }
    return changed.bytes
}

/// Returns the next letter or digit, the first after the last; other bytes are unchanged.
private func otherLetter(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "z"): UInt8(ascii: "a")
    case UInt8(ascii: "9"): UInt8(ascii: "0")
    case UInt8(ascii: "a")..<UInt8(ascii: "z"), UInt8(ascii: "0")..<UInt8(ascii: "9"): byte + 1
    default: byte
    }
}

extension NDEFRecord {
    /// The number of payload bytes before the text: the abbreviation of a URI, or the language of a text.
    fileprivate var headLength: Int {
        switch try? content {
        case .uri: 1
        case .text(let text): 1 + text.language.utf8.count
        default: 0
        }
    }
}
