import TapDescribe
import TapDocument
import TapField
import TapWire

/// The point where two runs diverge: the first differing exchange, with the last common ones before it.
public struct TraceDifference: OutputModel {
    /// The number of exchanges shown before the one that differs.
    private static let context = 3
    private static let width = 56

    private let left: [Exchange]
    private let right: [Exchange]
    /// The index of the first exchange that differs; `nil` if all are the same.
    private let place: Int?

    public init(_ left: Trace, _ right: Trace) {
        let (left, right) = (left.exchanges, right.exchanges)
        let first = zip(left, right).enumerated().first { !Self.isSame($1.0, $1.1) }?.offset
        place = first ?? (left.count == right.count ? nil : min(left.count, right.count))
        (self.left, self.right) = (left, right)
    }

    public var isNone: Bool { place == nil }

    public var lines: [String] {
        guard let place else { return ["\(CountText.of(left.count, "exchange")), the same in both"] }
        let start = max(0, place - Self.context)
        let heading = "the runs differ from exchange \(place + 1) on"
        return [heading] + (start...place).flatMap { rows(at: $0, mark: $0 == place ? "≠" : " ") }
    }

    package static let output = OutputTable<Self>(
        "difference", "Where two runs diverge",
        .always("same", "Whether every exchange is the same", \.isNone),
        .maybe("exchange", "The first exchange that differs") { $0.place.map { $0 + 1 } },
        .maybe("left", "The exchange of the first run; null after its end") { $0.differing(in: $0.left) },
        .maybe("right", "The exchange of the second run") { $0.differing(in: $0.right) })

    /// Returns the differing exchange of one of the runs; `nil` if none differs, and an inner `nil` after the end of that run.
    private func differing(in exchanges: [Exchange]) -> Exchange?? {
        place.map { exchanges.indices.contains($0) ? exchanges[$0] : nil }
    }

    /// Returns an exchange of each run side by side, with a row for the command and one for each answer.
    private func rows(at index: Int, mark: String) -> [String] {
        let (mine, other) = (Self.texts(left, index), Self.texts(right, index))
        return (0..<max(mine.count, other.count)).map { row in
            let number = row == 0 ? "\(index + 1)".leftPadded(to: 4) : "    "
            let texts = [mine, other].map { $0.indices.contains(row) ? $0[row] : "" }
            return "\(mark)\(number)  \(texts[0].rightPadded(to: Self.width))  \(texts[1])"
        }
    }

    private static func texts(_ exchanges: [Exchange], _ index: Int) -> [String] {
        guard exchanges.indices.contains(index) else { return ["(no more exchanges)"] }
        let exchange = exchanges[index]
        let answers = exchange.answers.map { "< " + FrameDescription(answer: $0.frame, to: exchange.command).line }
        return ["> " + FrameDescription(command: exchange.command).line] + (answers.isEmpty ? ["< silence"] : answers)
    }

    private static func isSame(_ left: Exchange, _ right: Exchange) -> Bool {
        left.command == right.command && left.answers.map(\.frame) == right.answers.map(\.frame)
    }
}
