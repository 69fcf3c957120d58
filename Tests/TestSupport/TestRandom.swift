import TapCards

/// Random values for a property test: the same run seed and name give the same values.
public struct TestRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    /// Creates a separate source for each name, by default the name of the test.
    public init(_ name: String = #function, seed: UInt64 = TestSeed.value) {
        generator = SeededGenerator(seed: seed).fork(name)
    }

    /// Sixty-four bits.
    public mutating func next() -> UInt64 { generator.next() }

    /// A number from 0 up to but not including `bound`.
    public mutating func number(below bound: Int) -> Int { generator.next(below: bound) }

    /// A number in a range.
    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + number(below: range.count)
    }

    /// Returns true with a probability of one in `count`.
    public mutating func oneIn(_ count: Int) -> Bool { number(below: count) == 0 }

    /// A byte.
    public mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    /// Some bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    /// One of several values.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// A text of a few scalars, some of which need two UTF-16 code units.
    public mutating func text(_ length: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<length { scalars.append(pick(["a", "Z", "/", "é", "音", "駅", "𠮷", "\u{301}"])) }
        return String(scalars)
    }

    /// Any number of a type.
    public mutating func any<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
        Number(truncatingIfNeeded: next())
    }

    /// A random number of values up to a bound, each created by `make`.
    public mutating func list<Element>(upTo bound: Int, _ make: (inout TestRandom) -> Element) -> [Element] {
        (0..<number(below: bound + 1)).map { _ in make(&self) }
    }

    /// The bytes of a file with one to four changes: a changed byte, inserted pieces of other files, or removed bytes.
    ///
    /// - Parameters:
    ///   - pieces: The other files, none of them empty.
    ///   - longest: The maximum number of bytes in a piece.
    ///   - letters: Preferred values for a changed byte, in addition to any value.
    public mutating func changed(
        _ bytes: [UInt8], by pieces: [[UInt8]], upTo longest: Int, letters: String
    ) -> [UInt8] {
        var changed = bytes
        for _ in 0...number(below: 4) {
            let place = number(below: max(1, changed.count))
            let other = pick(pieces)
            let start = number(below: other.count)
            switch number(below: 4) {
            case 0: changed[place] = byte()
            case 1: changed.insert(contentsOf: other[start..<min(other.count, start + longest)], at: place)
            case 2: changed.removeSubrange(place..<min(changed.count, place + number(1...40)))
            default: changed[place] = pick(Array(letters.utf8))
            }
            if changed.isEmpty { changed = [0] }
        }
        return changed
    }
}
