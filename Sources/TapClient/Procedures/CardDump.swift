import TapWire

/// All that can be read of a card of either family.
public enum CardDump: Hashable, Sendable {
    case felica(FeliCaDump)
    /// A Type 2 tag.
    case type2(Type2Dump)
}

extension CardReader {
    /// Reads all of a card: of a Type 2 tag, or if there is none, of a FeliCa card.
    ///
    /// - Parameters:
    ///   - password: The password of an NTAG21x, or nothing to read what anybody may.
    ///   - pack: The PACK it should answer, or nothing if any will do.
    /// - Throws: ``ClientError``: no card, a wrong password, or the exchange fails.
    public mutating func dump(
        password: PageData? = nil, expecting pack: UInt16? = nil
    ) async throws(ClientError) -> CardDump {
        if let tag = try await findTypeA() {
            try begin(with: tag)
            return .type2(try await dumpType2(tag, password: password, expecting: pack))
        }
        return .felica(try await dumpFeliCa())
    }
}
