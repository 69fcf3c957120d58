import Foundation

extension Data {
    /// The big-endian number in some bytes.
    func number(_ range: ClosedRange<Int>) -> Int {
        self[startIndex + range.lowerBound...startIndex + range.upperBound].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The little-endian number in some bytes.
    func littleNumber(_ range: ClosedRange<Int>) -> Int {
        self[startIndex + range.lowerBound...startIndex + range.upperBound].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Decimal digits, two per byte.
    func digits(_ range: ClosedRange<Int>) -> String {
        self[startIndex + range.lowerBound...startIndex + range.upperBound].map { String(format: "%02X", $0) }.joined()
    }

    /// The number in some bits, counted from the highest bit of the first byte.
    func bits(from first: Int, count: Int) -> Int {
        (first..<first + count).reduce(0) { $0 << 1 | Int(self[startIndex + $1 / 8] >> (7 - $1 % 8)) & 1 }
    }
}
