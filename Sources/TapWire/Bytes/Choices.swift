/// A sequence of choices read from the bytes of an input.
///
/// Every input is valid: past the last byte every number is 0 and every list is empty, and bytes left over are ignored. A
/// fuzzer that changes a byte therefore changes a choice, and no input is rejected.
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

    /// A number below `count`, read from two bytes if `count` exceeds 256.
    public mutating func number(below count: Int) -> Int {
        let first = Int(byte())
        return count <= 256 ? first % max(1, count) : (first << 8 | Int(byte())) % count
    }

    /// The bytes from which ``number(below:)`` reads `number`.
    public static func bytes(choosing number: Int, below count: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: number)
        return count <= 256 ? [low] : [UInt8(truncatingIfNeeded: number >> 8), low]
    }

    /// Returns `true` for one of `count` values of a number.
    public mutating func oneIn(_ count: Int) -> Bool { number(below: count) == 1 }

    /// An element of a list that must not be empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// Up to `count` bytes, fewer if the input ends.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, place + count)
        defer { place = end }
        return Array(bytes[place..<end])
    }

    /// Appends up to `count` bytes to a reusable list, fewer if the input ends.
    public mutating func append(_ count: Int, to list: inout [UInt8]) {
        let end = min(bytes.count, place + count)
        list.append(contentsOf: bytes[place..<end])
        place = end
    }

    /// Bytes preceded by their count, which is below `limit`.
    public mutating func counted(below limit: Int) -> [UInt8] { bytes(number(below: limit)) }

    public mutating func rest() -> [UInt8] { bytes(bytes.count - place) }
}
