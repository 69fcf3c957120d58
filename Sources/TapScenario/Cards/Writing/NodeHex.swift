import TapWire

extension Node {
    /// Bytes as hexadecimal text, a blank between any two.
    static func hex(_ bytes: some Collection<UInt8>) -> Node { .text(Hex.text(bytes, separator: " ")) }

    /// A 16-bit code as four hexadecimal digits.
    static func code(_ code: UInt16) -> Node { .text(Hex.digits(code, width: 4)) }
}
