import TapWire

/// A kind of field: its name, its size, and how its value is said.
struct FieldKind: Sendable {
    /// What the manuals call the field.
    let name: String
    /// Number of bytes; nothing for all that are left.
    let byteCount: Int?
    /// How the bytes are put together, `LE` or `BE`, or what they must be, or nothing.
    let form: String
    /// What the bytes mean.
    let meaning: @Sendable ([UInt8]) -> String
    /// What the one line of the frame says of the field; empty for nothing.
    let words: @Sendable ([UInt8]) -> String

    init(
        _ name: String, _ byteCount: Int?, form: String = "",
        meaning: @escaping @Sendable ([UInt8]) -> String = { _ in "" },
        words: @escaping @Sendable ([UInt8]) -> String = { _ in "" }
    ) {
        self.name = name
        self.byteCount = byteCount
        self.form = form
        self.meaning = meaning
        self.words = words
    }

    /// A field of one byte.
    static func byte(
        _ name: String, meaning: @escaping @Sendable (UInt8) -> String = { "\($0)" },
        words: @escaping @Sendable (UInt8) -> String = { _ in "" }
    ) -> FieldKind {
        FieldKind(name, 1, meaning: { meaning($0.first ?? 0) }, words: { words($0.first ?? 0) })
    }

    /// A field of two bytes, the low one first.
    static func little(
        _ name: String, meaning: @escaping @Sendable (UInt16) -> String = { "\($0)" },
        words: @escaping @Sendable (UInt16) -> String = { _ in "" }
    ) -> FieldKind {
        FieldKind(name, 2, form: "LE", meaning: { meaning(littleEndian($0)) }, words: { words(littleEndian($0)) })
    }

    /// A field of two bytes, the high one first.
    static func big(
        _ name: String, meaning: @escaping @Sendable (UInt16) -> String,
        words: @escaping @Sendable (UInt16) -> String = { _ in "" }
    ) -> FieldKind {
        FieldKind(
            name, 2, form: "BE", meaning: { meaning(littleEndian($0).byteSwapped) },
            words: { words(littleEndian($0).byteSwapped) })
    }

    /// Bytes that must be zero.
    static func reserved(_ count: Int) -> FieldKind {
        FieldKind("reserved", count, form: "00") { bytes in
            bytes.allSatisfy { $0 == 0 } ? "zero, as it must be" : "must be zero"
        }
    }

    /// The name with size and form, as layouts are written.
    var layoutText: String {
        guard let byteCount else { return name }
        return switch (byteCount, form) {
        case (1, ""): name
        case (_, ""): "\(name) (\(byteCount))"
        case (_, "00"): [String](repeating: "00", count: byteCount).joined(separator: " ")
        case (1, _): form
        default: "\(name) (\(byteCount), \(form))"
        }
    }

    private static func littleEndian(_ bytes: [UInt8]) -> UInt16 {
        bytes.prefix(2).reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }
}
