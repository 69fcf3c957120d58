/// How long readers wait where nothing tells them how long.
enum Patience {
    /// For an answer to a search: sixteen time slots of a Polling end 23 ms after it.
    static let search = Duration.milliseconds(25)
    /// For an answer to a command: longer than any card takes for one.
    static let command = Duration.milliseconds(500)
    /// For a NAK to HLTA, after which silence means that the card rests.
    static let halt = Duration.milliseconds(1)
}
