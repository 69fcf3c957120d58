/// Text from bytes that must be well formed: nothing is replaced, so the text gives back its bytes.
enum StrictText {
    /// The text that UTF-8 bytes spell.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: Where the bytes lie in the value being read, for the error.
    ///   - name: What is being read.
    static func utf8(_ bytes: [UInt8], at offset: Int, in name: String) throws(WireError) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if let index = firstDifference(bytes, Array(text.utf8)) {
            throw WireError(.wrongValue, at: offset + index, in: name, "not UTF-8")
        }
        return text
    }

    /// The text that UTF-16 code units spell; each unit is two bytes of the value being read.
    static func utf16(_ units: [UInt16], at offset: Int, in name: String) throws(WireError) -> String {
        let text = String(decoding: units, as: UTF16.self)
        if let index = firstDifference(units, Array(text.utf16)) {
            throw WireError(.wrongValue, at: offset + 2 * index, in: name, "an unpaired surrogate")
        }
        return text
    }

    /// The text that ASCII bytes spell.
    static func ascii(_ bytes: [UInt8], at offset: Int, in name: String) throws(WireError) -> String {
        if let index = bytes.firstIndex(where: { $0 >= 0x80 }) {
            throw WireError(.wrongValue, at: offset + index, in: name, "not ASCII")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Where decoding had to repair: repaired text never spells what was not well formed.
    private static func firstDifference<Unit: Equatable>(_ given: [Unit], _ spelled: [Unit]) -> Int? {
        if given == spelled { return nil }
        return zip(given, spelled).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(given.count, spelled.count)
    }
}
