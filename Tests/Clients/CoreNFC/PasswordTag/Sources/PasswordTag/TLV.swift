import CoreNFC

/// The TLV blocks in the memory of a tag: a type, a length and a value.
enum TLV {
    private static let null: UInt8 = 0x00
    private static let ndefMessage: UInt8 = 0x03
    private static let terminator: UInt8 = 0xFE

    /// The value of the first block with a message; nil if more memory must be read first.
    static func message(in memory: Data) throws -> Data? {
        var rest = memory[...]
        while let type = rest.popFirst() {
            if type == null { continue }
            if type == terminator { throw TagError.badContent }
            guard var length = rest.popFirst().map(Int.init) else { return nil }
            if length == 0xFF {
                guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
                length = Int(high) << 8 | Int(low)
            }
            guard rest.count >= length else { return nil }
            if type == ndefMessage { return Data(rest.prefix(length)) }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    /// A block with a message, and the terminator.
    static func block(_ message: Data) throws -> Data {
        guard message.count <= 0xFFFE else { throw TagError.tooLong }
        let length =
            message.count < 0xFF
            ? Data([UInt8(message.count)]) : Data([0xFF, UInt8(message.count >> 8), UInt8(message.count & 0xFF)])
        return Data([ndefMessage]) + length + message + Data([terminator])
    }
}

/// Core NFC parses messages from bytes but cannot serialize them.
enum NDEFWriter {
    static func data(of message: NFCNDEFMessage) -> Data {
        var data = Data()
        for (index, record) in message.records.enumerated() {
            let isShort = record.payload.count <= 0xFF
            var header = record.typeNameFormat.rawValue
            if index == 0 { header |= 0x80 }
            if index == message.records.count - 1 { header |= 0x40 }
            if isShort { header |= 0x10 }
            if !record.identifier.isEmpty { header |= 0x08 }
            data += [header, UInt8(record.type.count)]
            let count = UInt32(record.payload.count)
            data += isShort ? [UInt8(count)] : [24, 16, 8, 0].map { UInt8(count >> $0 & 0xFF) }
            if !record.identifier.isEmpty { data.append(UInt8(record.identifier.count)) }
            data += record.type + record.identifier + record.payload
        }
        return data
    }
}
