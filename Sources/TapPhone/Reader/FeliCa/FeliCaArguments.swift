import TapField
import TapWire

/// What Core NFC asks of the arguments of FeliCa commands.
///
/// A number of entries that is not permitted is error 5, an entry of another length error 4, and an entry that
/// contradicts itself error 3. Source: Core NFC, NFCFeliCaTag and NFCReaderError.
enum FeliCaArguments {
    /// Longest packet from its command code on; LEN counts itself in one byte.
    static let maximumLength = FeliCaPacket.maximumLength - 1

    /// Service and node codes, the low byte first.
    static func codes(_ list: [[UInt8]], upTo maximum: Int, _ name: String) throws(PhoneError) -> [NodeCode] {
        guard 1...maximum ~= list.count else {
            throw PhoneError(
                .parameterOutOfBound, reason: "\(name) has \(list.count) entries; a command takes 1 to \(maximum)")
        }
        var codes: [NodeCode] = []
        for (index, entry) in list.enumerated() {
            guard entry.count == 2 else {
                throw PhoneError(
                    .invalidParameterLength,
                    reason:
                        "entry \(index) of \(name) has \(CountText.of(entry.count, "byte")); a code has two, the low "
                        + "one first")
            }
            codes.append(NodeCode(UInt16(entry[0]) | UInt16(entry[1]) << 8))
        }
        return codes
    }

    /// Block list elements.
    static func blocks(_ list: [[UInt8]]) throws(PhoneError) -> [BlockListElement] {
        guard !list.isEmpty else {
            throw PhoneError(.parameterOutOfBound, reason: "blockList is empty; a command takes at least one block")
        }
        var elements: [BlockListElement] = []
        for (index, entry) in list.enumerated() {
            guard 2...3 ~= entry.count else {
                throw PhoneError(
                    .invalidParameterLength,
                    reason:
                        "entry \(index) of blockList has \(CountText.of(entry.count, "byte")); an element has two or "
                        + "three")
            }
            let slice = entry[...]
            guard let element = BlockListElement(slice.span, at: 0), element.byteCount == entry.count else {
                throw PhoneError(
                    .invalidParameter,
                    reason:
                        "entry \(index) of blockList is \(Hex.text(entry)); the top bit of its first byte is set for "
                        + "two bytes and clear for three")
            }
            elements.append(element)
        }
        return elements
    }

    /// What to write: sixteen bytes for each element of the block list.
    static func data(_ list: [[UInt8]], forBlocks count: Int) throws(PhoneError) -> [BlockData] {
        guard list.count == count else {
            throw PhoneError(
                .invalidParameter,
                reason: "blockData has \(list.count) entries and blockList \(count); every block takes one")
        }
        for (index, entry) in list.enumerated() where entry.count != BlockData.byteCount {
            throw PhoneError(
                .invalidParameterLength,
                reason: "entry \(index) of blockData has \(CountText.of(entry.count, "byte")); a block has 16")
        }
        return list.map { BlockData($0) }
    }

    /// Checks that a packet, from its command code on, is no longer than LEN can say.
    static func checkLength(_ count: Int) throws(PhoneError) {
        guard count <= maximumLength else {
            throw PhoneError(
                .packetTooLong,
                reason: "the packet has \(count) bytes behind LEN; a FeliCa packet has at most \(maximumLength); send "
                    + "fewer blocks at once")
        }
    }
}
