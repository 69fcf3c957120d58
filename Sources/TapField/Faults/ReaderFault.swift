import TapWire

/// What a reader does wrong with a command of its host, for reader models to carry out.
public enum ReaderFault: Hashable, Sendable {
    /// The chip reports a status in place of what came from the card; PN532 only.
    case chipStatus(UInt8)
    /// The status word, and nothing before it.
    case statusWord(StatusWord)
    /// The data without the status word behind them.
    case noStatusWord
    /// The status word of the answer without its data.
    case noData
    /// The last bytes of the data are missing, the status word is there.
    case cutData(Int)
    /// More data than the card sent, the status word behind them.
    case extraData([UInt8])
    /// The answer to the command before.
    case previousAnswer
    /// The reader says that no card is there.
    case noCard
    /// The exchange with the reader fails, without an answer.
    case failed

    /// Whether it is the chip's own, which the reader around it cannot produce.
    package var isOfChip: Bool {
        if case .chipStatus = self { true } else { false }
    }
}
