/// A function of PC/SC that a program calls, in the words of scenarios.
///
/// Functions that the library carries out from the states of readers, such as SCardListReaders, reach no service and
/// are none of these.
public enum PCSCCall: String, Hashable, Sendable, CaseIterable {
    /// SCardEstablishContext.
    case establishContext = "establish_context"
    /// SCardReleaseContext.
    case releaseContext = "release_context"
    /// SCardGetStatusChange, where it waits.
    case getStatusChange = "get_status_change"
    /// SCardCancel.
    case cancel
    /// SCardConnect.
    case connect
    /// SCardReconnect.
    case reconnect
    /// SCardDisconnect.
    case disconnect
    /// SCardBeginTransaction.
    case beginTransaction = "begin_transaction"
    /// SCardEndTransaction.
    case endTransaction = "end_transaction"
    /// SCardTransmit.
    case transmit
    /// SCardControl.
    case control
    /// SCardStatus.
    case status
    /// SCardGetAttrib.
    case getAttribute = "get_attrib"
    /// SCardSetAttrib.
    case setAttribute = "set_attrib"
}
