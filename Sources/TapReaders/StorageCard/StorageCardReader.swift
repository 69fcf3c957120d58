import TapField
import TapWire

/// A reader that does what PC/SC part 3 says and nothing of a maker's own, as current readers of many makers do.
///
/// What the standard leaves open: a FeliCa card is read and written by services and a block list in the data of read
/// and update binary, as the class driver of Windows takes them; Le beyond the end of an object is answered with the
/// object and 6282; a command that the card refuses is answered 6300, one it does not answer 6401. After either the
/// reader selects a type A card anew.
public struct StorageCardReader: PCSCReader {
    /// The name; no maker's, since it is no maker's reader.
    public static let usualName = "TapSim Contactless Reader"

    public let name: String
    private var line = CardLine([.typeA106, .felica212])
    private var session = TransparentSession()

    public init(name: String = usualName) {
        self.name = name
    }

    /// Whether no transparent session is open, in which the host looks for cards.
    public var isLooking: Bool { !session.isOpen }

    /// Looks what lies in the field; a host that has switched the field off keeps it off.
    public mutating func look(in world: inout World) -> SlotContent {
        line.look(in: &world, isSearching: !session.isOpen || world.isFieldOn)
        return line.content
    }

    /// Resets the slot, and ends a transparent session.
    public mutating func reset(in world: inout World) -> SlotContent {
        session.close()
        line.reset(in: &world)
        return line.content
    }

    /// Takes power from the slot, and ends a transparent session.
    public mutating func powerDown(in world: inout World) {
        session.close()
        line.powerDown(in: &world)
    }

    public mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        guard line.card != nil else { return .noCard }
        return .answer(answer(command, in: &world).bytes)
    }

    /// Answers escape commands as APDUs, with and without a card.
    public mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        ReaderControl.answer(code) { .answer(answer(data, in: &world).bytes) }
    }

    /// Vendor, version and longest command; no maker's.
    public func attribute(_ id: UInt32) -> [UInt8]? { ReaderAttribute(vendor: "TapSim", release: 0x0100)[id] }

    private mutating func answer(_ bytes: [UInt8], in world: inout World) -> ResponseAPDU {
        guard let command = try? CommandAPDU(parsing: bytes) else { return ResponseAPDU([], .wrongLength) }
        guard command.cla == CommandAPDU.reader else { return ResponseAPDU([], .unknownClass) }
        switch command.ins {
        case .transparent where command.p1 == 0: return line.session(bytes, &session, in: &world)
        case .getData: return command.answerGetData(line.card)
        case .readBinary: return line.readBinary(command, in: &world)
        case .updateBinary: return line.updateBinary(command, in: &world)
        case .loadKeys, .generalAuthenticate, .authenticate, .transparent: return ResponseAPDU([], .notSupported)
        default: return ResponseAPDU([], .unknownInstruction)
        }
    }
}
