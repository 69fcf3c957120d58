/// Choices read from the bytes of an input, one after another.
///
/// Every input is valid: behind its last byte every number is 0 and every list is empty, and bytes left over mean nothing.
/// So a fuzzer that changes a byte changes a choice, and no input is thrown away.
public struct Choices: Sendable {
    private let bytes: [UInt8]
    private var place = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var isAtEnd: Bool { place >= bytes.count }

    /// A number from 0 to 255.
    public mutating func byte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        defer { place += 1 }
        return bytes[place]
    }

    /// A number below a count, of two bytes where one would not reach.
    public mutating func number(below count: Int) -> Int {
        let first = Int(byte())
        return count <= 256 ? first % max(1, count) : (first << 8 | Int(byte())) % count
    }

    /// The bytes by which ``number(below:)`` gives a number.
    public static func bytes(choosing number: Int, below count: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: number)
        return count <= 256 ? [low] : [UInt8(truncatingIfNeeded: number >> 8), low]
    }

    /// True by one of so many values of a byte.
    public mutating func oneIn(_ count: Int) -> Bool { number(below: count) == 1 }

    /// One of a list, which is not empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// As many bytes as are left, up to a number.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, place + count)
        defer { place = end }
        return Array(bytes[place..<end])
    }

    /// Appends as many bytes as are left, up to a number, to memory that is used again.
    public mutating func append(_ count: Int, to list: inout [UInt8]) {
        let end = min(bytes.count, place + count)
        list.append(contentsOf: bytes[place..<end])
        place = end
    }

    /// Bytes behind their count, fewer than a number.
    public mutating func counted(below limit: Int) -> [UInt8] { bytes(number(below: limit)) }

    public mutating func rest() -> [UInt8] { bytes(bytes.count - place) }
}
