/// Which of many messages are told where they may come without end: the first ones, then one a second that counts.
///
/// It knows no clock; whoever tells the messages has one.
public struct MessageLimit: Sendable {
    /// How many messages are told as they are.
    public static let firstCount = 20
    /// How long none is told after that, and between two that count.
    public static let pause = Duration.seconds(1)

    private var toldCount = 0
    private var leftOut = 0
    private var latest = ""
    private var next: ContinuousClock.Instant?

    public init() {}

    /// What is to be told now that a message has come; nothing where it is only counted.
    public mutating func line(for message: String, at now: ContinuousClock.Instant) -> String? {
        guard toldCount >= Self.firstCount else {
            toldCount += 1
            return message
        }
        leftOut += 1
        latest = message
        guard let next, now < next else {
            defer { self.next = now + Self.pause }
            return next == nil ? nil : rest()
        }
        return nil
    }

    /// What was counted and not told yet, for the end; nothing where all was told.
    public mutating func rest() -> String? {
        guard leftOut > 0 else { return nil }
        defer { leftOut = 0 }
        return "\(leftOut) more; the last: \(latest)"
    }
}
