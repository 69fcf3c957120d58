import TapWire

/// A code with a raw value of four bytes.
protocol ServiceCode {
    var rawValue: UInt32 { get }
    init(_ rawValue: UInt32)
}

extension ServiceCommand: ServiceCode {}
extension PCSCAttribute: ServiceCode {}
extension PCSCReturnCode: ServiceCode {}
extension PCSCShareMode: ServiceCode {}
extension PCSCDisposition: ServiceCode {}

/// Reads the fields of a structure from its bytes, or writes them, with the same calls.
struct MessageFields {
    private let source: ArraySlice<UInt8>?
    private var offset = 0
    private(set) var written: [UInt8] = []

    /// Reads fields; the caller has checked the length.
    init(reading bytes: ArraySlice<UInt8>) {
        source = bytes
    }

    init(reserving count: Int) {
        source = nil
        written.reserveCapacity(count)
    }

    /// Reads or writes four bytes, the low byte first.
    mutating func carry(_ number: inout UInt32) {
        guard let source else {
            for place in UInt32(0)..<4 { written.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
            return
        }
        precondition(offset + 4 <= source.count, "the caller has checked the length")
        number = UInt32(
            littleEndian: unsafe source.withUnsafeBytes { [offset] in
                unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            })
        offset += 4
    }

    mutating func carry(_ number: inout Int32) {
        var bits = UInt32(bitPattern: number)
        carry(&bits)
        number = Int32(bitPattern: bits)
    }

    mutating func carry(_ code: inout some ServiceCode) {
        var number = code.rawValue
        carry(&number)
        code = .init(number)
    }

    mutating func carry<Options: OptionSet>(_ options: inout Options) where Options.RawValue == UInt32 {
        var number = options.rawValue
        carry(&number)
        options = Options(rawValue: number)
    }

    /// Writes bytes after the fields.
    mutating func append(_ bytes: [UInt8]) {
        written += bytes
    }

    /// Reads or writes bytes in a field of fixed length, truncated or padded with zeros.
    mutating func carry(_ bytes: inout [UInt8], in count: Int) {
        guard let source else {
            written += bytes.prefix(count)
            written += repeatElement(0, count: max(0, count - bytes.count))
            return
        }
        bytes = Array(source.dropFirst(offset).prefix(count))
        offset += count
    }

    /// Reads or writes text that ends with a zero byte or with its field.
    mutating func carry(_ text: inout String, in count: Int) {
        var bytes = Array(text.utf8)
        carry(&bytes, in: count)
        guard source != nil else { return }
        text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
