/// A command of pcsc-lite's protocol.
struct ServiceCommand: Hashable, Sendable {
    let rawValue: UInt32

    init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    static let establish = ServiceCommand(0x01)
    static let release = ServiceCommand(0x02)
    static let connect = ServiceCommand(0x04)
    static let reconnect = ServiceCommand(0x05)
    static let disconnect = ServiceCommand(0x06)
    static let beginTransaction = ServiceCommand(0x07)
    static let endTransaction = ServiceCommand(0x08)
    static let transmit = ServiceCommand(0x09)
    static let control = ServiceCommand(0x0A)
    static let status = ServiceCommand(0x0B)
    static let cancel = ServiceCommand(0x0D)
    static let getAttribute = ServiceCommand(0x0F)
    static let setAttribute = ServiceCommand(0x10)
    static let version = ServiceCommand(0x11)
    /// The states of all sixteen places for readers.
    static let readerStates = ServiceCommand(0x12)
    /// A word when a reader or card changes; up to 4.5 with the sixteen states as an answer, at 4.6 without any.
    static let waitForChange = ServiceCommand(0x13)
    static let stopWaiting = ServiceCommand(0x14)
    /// How many readers have come and gone; since 4.5.
    static let readerEvents = ServiceCommand(0x15)
    /// How many places for readers there are; since 4.6.
    static let readerCount = ServiceCommand(0x16)
    /// The states of as many places; since 4.6.
    static let readerArray = ServiceCommand(0x17)
}
