import TapWire

/// Counts how often in a row readers send the same command and get nowhere.
///
/// The same command is one with the same bytes. An answer that is whole and differs from the one before is progress;
/// silence and damage are none. Frames by which a reader looks for cards and selects them are no retries and do not
/// interrupt any, since readers select anew between two tries.
struct RetryWatch: Sendable {
    /// How often a command may come.
    let limit: Int
    private var command: AirFrame?
    private var answer: AirFrame?
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a command came too often.
    var isOver: Bool { count > limit }

    /// Counts an exchange.
    mutating func count(_ frame: AirFrame, _ received: FieldAnswer) {
        guard !isOver, !Self.isSearch(frame) else { return }
        let heard: AirFrame? =
            if case .frame(let answer, _) = received, answer.integrity == .good { answer } else { nil }
        if frame != command || (heard != nil && heard != answer) {
            command = frame
            count = 0
            answer = nil
        }
        answer = heard ?? answer
        count += 1
    }

    private static func isSearch(_ frame: AirFrame) -> Bool {
        guard let name = CommandName(of: frame) else { return false }
        return name.layer == .selection || name.rawValue == "felica.polling"
    }
}
