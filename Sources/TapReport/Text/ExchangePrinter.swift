import TapField
import TapScenario
import TapWire

/// Writes exchanges in words while they happen, as `-v` asks for.
public final class ExchangePrinter: TraceObserver {
    private let style: TerminalStyle
    private let print: @Sendable (String) -> Void

    /// Creates a printer.
    ///
    /// - Parameters:
    ///   - style: Colours.
    ///   - print: Takes each line.
    public init(style: TerminalStyle, print: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.print = print
    }

    /// Writes the line of an event.
    public func observe(_ event: TraceEvent, answering command: AirFrame?) {
        let words: String =
            switch event.kind {
            case .field(let isOn): style.muted("*    field \(isOn ? "on" : "off")\(Self.place(event))")
            case .card(let name, let isPresent):
                style.muted("*    \(name) \(isPresent ? "comes before" : "leaves") \(event.reader ?? "the reader")")
            case .fault(let fault): style.muted("!    \(fault)")
            case .note(let text): style.muted("*    \(text)")
            case .command(let frame): ">    \(FrameDescription(command: frame).line)\(Self.place(event))"
            case .answer(let frame, let card, _, let slot):
                "<    \(Self.line(frame, command))\(slot.map { "   slot \($0)" } ?? "")   from \(card)"
            case .collision(let frame, let bit, let cards):
                "<    \(Self.line(frame, command))   collision at bit \(bit) of \(cards.joined(separator: " and "))"
            case .silence: "<    silence"
            }
        print("      \(CardTimeText.column(event.time))  \(words)")
    }

    /// At which of several readers it happened.
    private static func place(_ event: TraceEvent) -> String { event.reader.map { "   at \($0)" } ?? "" }

    private static func line(_ answer: AirFrame, _ command: AirFrame?) -> String {
        command.map { FrameDescription(answer: answer, to: $0).line } ?? Hex.text(answer.bytes)
    }
}
