import TapCards
import TapWire

extension CardEngine {
    /// Another card of the same kind: with another IDm or UID, other amounts in its histories and other letters in its
    /// message, all of the same size, so that the half of one and the half of the other can be told from both.
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
    /// Keeps the balance beside a history of transit what the newest record says.
    fileprivate mutating func changeTransitBalance() {
        let service = TransitServices.balance.code
        guard let block = blocks(of: service, in: .transit)?.first else { return }
        var balance = TransitBalance(block)
        balance.balance &+= UInt16(OtherAmounts.difference)
        replaceBlocks(of: service, in: .transit, with: [balance.stored])
    }
}

/// A message with other letters and digits behind what says the kind of each record; the same if it is none.
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

/// The next letter or digit, the first after the last; other bytes stay.
private func otherLetter(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "z"): UInt8(ascii: "a")
    case UInt8(ascii: "9"): UInt8(ascii: "0")
    case UInt8(ascii: "a")..<UInt8(ascii: "z"), UInt8(ascii: "0")..<UInt8(ascii: "9"): byte + 1
    default: byte
    }
}

extension NDEFRecord {
    /// Bytes of the payload before the letters: the abbreviation of a URI, or the language of a text.
    fileprivate var headLength: Int {
        switch try? content {
        case .uri: 1
        case .text(let text): 1 + text.language.utf8.count
        default: 0
        }
    }
}
