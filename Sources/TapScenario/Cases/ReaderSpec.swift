import TapReaders

/// A reader before which cards lie.
public struct ReaderSpec: Hashable, Sendable {
    /// A way by which a program reaches a reader.
    public enum Door: String, Hashable, Sendable, CaseIterable {
        /// A private PC/SC service, for whatever uses libpcsclite.
        case pcsc
        /// nfcpy's UDP driver.
        case nfcpy
        /// A PN532 on a serial line, as libnfc drives it, whatever the model.
        case libnfc
        /// The PC/SC service of the system, by its driver vpcd.
        case vpcd
    }

    /// What kind of reader it is.
    public var model: ReaderModel
    /// Its name in PC/SC in place of that of the model, without the numbers the service appends.
    public var name: String?
    /// The one door that is open, or nothing for every door that needs no system service.
    public var door: Door?
    /// Where vpcd listens on this machine, if not at its usual port.
    public var port: UInt16?
    /// The card it takes where several lie before it, or nothing for the first it finds.
    public var pick: String?

    /// Most bytes of a name: the 128 of PC/SC with its end and the numbers behind it.
    public static let maximumNameLength = 120

    public init(_ model: ReaderModel, name: String? = nil, door: Door? = nil, port: UInt16? = nil) {
        self.model = model
        self.name = name
        self.door = door
        self.port = port
    }

    /// The reader of a scenario that names none: one that every way of reading a card is tried on first.
    public static let usual = ReaderSpec(.usual)

    /// The reader as a file writes it.
    var node: Node {
        guard name != nil || door != nil || port != nil || pick != nil else { return .text(model.rawValue) }
        return .map([
            "model": .text(model.rawValue), "name": name.map(Node.text), "over": door.map { .text($0.rawValue) },
            "port": port.map(Node.number), "pick": pick.map(Node.text),
        ])
    }
}
