import TestSupport

/// Chance for a property test: the same seed and name give the same numbers.
struct RandomSource {
    private var state: UInt64

    /// Creates a source of its own for each name.
    init(_ name: String) {
        state = name.utf8.reduce(TestSeed.value) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// Sixty-four bits, by SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number of a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Whether something with a chance of one in `count` happens.
    mutating func oneIn(_ count: Int) -> Bool {
        number(1...count) == 1
    }

    /// Some bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// One of several.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    /// A text of a few scalars, some of which need two units in UTF-16.
    mutating func text(_ length: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<length { scalars.append(pick(["a", "Z", "/", "é", "音", "駅", "𠮷", "\u{301}"])) }
        return String(scalars)
    }
}
