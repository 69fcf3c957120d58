import TapReport
import TapScenario
import TapWire

/// One thing found about a machine or a program, as `tapsim doctor` tells it.
public struct Finding: Hashable, Sendable {
    /// How much it matters.
    public enum Weight: String, Hashable, Sendable {
        /// As it has to be.
        case fine
        /// Works, with something to know.
        case note
        /// PC/SC cannot work so.
        case trouble
    }

    /// What was looked at, a word for programs.
    public let topic: String
    /// How much it matters.
    public let weight: Weight
    /// What was found, a sentence without a full stop.
    public let found: String
    /// What to do next; nothing where there is nothing to do.
    public let advice: String?

    init(_ topic: String, _ weight: Weight, _ found: String, advice: String? = nil) {
        self.topic = topic
        self.weight = weight
        self.found = found
        self.advice = advice
    }

    /// The finding for a client that has no need of PC/SC.
    var asNote: Finding { weight == .trouble ? Finding(topic, .note, found, advice: advice) : self }

    /// The finding as a person reads it.
    public func lines(_ style: TerminalStyle) -> [String] {
        let mark =
            switch weight {
            case .fine: style.success("ok  ")
            case .note: "note"
            case .trouble: style.severity("FAIL", .error)
            }
        let text = ["  \(mark)  \(PrintableText.visible(found))"]
        return text + (advice.map { ["        \(PrintableText.visible($0))"] } ?? [])
    }

    /// The finding as a program reads it.
    public var node: Node {
        .map([
            "topic": .text(topic), "weight": .text(weight.rawValue), "found": .text(found),
            "advice": advice.map(Node.text),
        ])
    }
}
