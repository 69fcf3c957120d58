/// The functions of the PC/SC library, looked up by name.
@unsafe
struct PCSCFunctions {
    typealias Address = UnsafeMutableRawPointer
    typealias EstablishContext =
        @convention(c) (PCSCWord, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutablePointer<PCSCLong>) -> PCSCLong
    typealias OfHandle = @convention(c) (PCSCLong) -> PCSCLong
    typealias ListReaders =
        @convention(c) (
            PCSCLong, UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias GetStatusChange = @convention(c) (PCSCLong, PCSCWord, Address?, PCSCWord) -> PCSCLong
    typealias Connect =
        @convention(c) (
            PCSCLong, UnsafePointer<CChar>, PCSCWord, PCSCWord, UnsafeMutablePointer<PCSCLong>,
            UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias Reconnect =
        @convention(c) (PCSCLong, PCSCWord, PCSCWord, PCSCWord, UnsafeMutablePointer<PCSCWord>) -> PCSCLong
    typealias WithDisposition = @convention(c) (PCSCLong, PCSCWord) -> PCSCLong
    typealias Status =
        @convention(c) (
            PCSCLong, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<PCSCWord>?, UnsafeMutablePointer<PCSCWord>?,
            UnsafeMutablePointer<PCSCWord>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<PCSCWord>?
        ) -> PCSCLong
    typealias Transmit =
        @convention(c) (
            PCSCLong, UnsafeRawPointer, UnsafePointer<UInt8>?, PCSCWord, Address?, UnsafeMutablePointer<UInt8>?,
            UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias Control =
        @convention(c) (
            PCSCLong, PCSCWord, UnsafeRawPointer?, PCSCWord, Address?, PCSCWord, UnsafeMutablePointer<PCSCWord>
        ) -> PCSCLong
    typealias GetAttribute =
        @convention(c) (PCSCLong, PCSCWord, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<PCSCWord>) -> PCSCLong

    let establishContext: EstablishContext
    let releaseContext: OfHandle
    let listReaders: ListReaders
    let getStatusChange: GetStatusChange
    let cancel: OfHandle
    let connect: Connect
    let reconnect: Reconnect
    let disconnect: WithDisposition
    let beginTransaction: OfHandle
    let endTransaction: WithDisposition
    let status: Status
    let transmit: Transmit
    let control: Control
    let getAttribute: GetAttribute
    /// SCARD_PCI_T0, as SCardTransmit wants it for T=0.
    let t0: UnsafeRawPointer
    /// SCARD_PCI_T1, the same for T=1.
    let t1: UnsafeRawPointer
    /// SCARD_PCI_RAW, the same for raw bytes.
    let raw: UnsafeRawPointer

    #if canImport(Darwin)
        /// The name under which macOS has the SCardControl of pcsc-lite 1.3.2 and later.
        private static let controlName = "SCardControl132"
    #else
        private static let controlName = "SCardControl"
    #endif

    /// Looks every function up.
    ///
    /// - Throws: ``PCSCLibraryError`` naming the first that is missing.
    init(_ find: (String) throws(PCSCLibraryError) -> Address) throws(PCSCLibraryError) {
        func function<Function>(_ name: String) throws(PCSCLibraryError) -> Function {
            unsafe unsafeBitCast(try find(name), to: Function.self)
        }
        unsafe establishContext = try function("SCardEstablishContext")
        unsafe releaseContext = try function("SCardReleaseContext")
        unsafe listReaders = try function("SCardListReaders")
        unsafe getStatusChange = try function("SCardGetStatusChange")
        unsafe cancel = try function("SCardCancel")
        unsafe connect = try function("SCardConnect")
        unsafe reconnect = try function("SCardReconnect")
        unsafe disconnect = try function("SCardDisconnect")
        unsafe beginTransaction = try function("SCardBeginTransaction")
        unsafe endTransaction = try function("SCardEndTransaction")
        unsafe status = try function("SCardStatus")
        unsafe transmit = try function("SCardTransmit")
        unsafe control = try function(Self.controlName)
        unsafe getAttribute = try function("SCardGetAttrib")
        unsafe t0 = UnsafeRawPointer(try find("g_rgSCardT0Pci"))
        unsafe t1 = UnsafeRawPointer(try find("g_rgSCardT1Pci"))
        unsafe raw = UnsafeRawPointer(try find("g_rgSCardRawPci"))
    }
}
