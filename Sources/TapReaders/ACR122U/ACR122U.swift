import TapField
import TapWire

/// ACS ACR122U: a PN532 behind CCID, whose firmware polls for cards and passes commands to the chip.
///
/// Commands of PC/SC part 3 the firmware carries out by the chip, and selects a type A card anew after one that failed.
/// Commands given to the chip itself leave a card that refused one where it is: the host looks for it again.
/// Get response is not there: it belongs to T=0, and the slot speaks T=1.
/// Source: ACS, "ACR122U application programming interface" 2.04.
public struct ACR122U: PCSCReader {
    /// The name its USB descriptor gives, as the CCID driver of Linux shows it.
    public static let usualName = "ACS ACR122U PICC Interface"
    /// What the firmware answers for its version.
    static let firmware = "ACR122U215"

    public let name: String
    // The firmware has limited the searches of the chip by the time a host meets it.
    var chip = PN532(passiveRetries: 0, samStatus: 0x80)
    var settings = ACR122USettings()
    private(set) var card: FoundCard?
    private var hasFailed = false

    public init(name: String = usualName) {
        self.name = name
    }

    /// Whether the host has left the operating parameter so.
    public var isLooking: Bool { settings.isPolling }

    /// Looks what lies in the field, unless the host has switched that off.
    public mutating func look(in world: inout World) -> SlotContent {
        if let card, card.isPresent(in: world) { return content }
        adopt(settings.isPolling ? world.findCard(settings.technologies) : nil)
        return content
    }

    /// Resets the slot; what the host has set stays.
    public mutating func reset(in world: inout World) -> SlotContent {
        powerDown(in: &world)
        card = nil
        return look(in: &world)
    }

    /// Takes power from the slot.
    public mutating func powerDown(in world: inout World) {
        world.switchField(on: false)
        hasFailed = true
    }

    public mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        guard card != nil else { return .noCard }
        return .answer(answer(command, in: &world))
    }

    /// Answers escape commands as APDUs, with and without a card.
    public mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        ReaderControl.answer(code, properties: [.vendor(0x072F), .product(0x2200)]) {
            .answer(answer(data, in: &world))
        }
    }

    /// Vendor, version and longest command.
    public func attribute(_ id: UInt32) -> [UInt8]? { ReaderAttribute(vendor: "ACS", release: 0x0207)[id] }

    /// The slot content; FeliCa cards have an ATR of ACS's own, which names the bit rate.
    private var content: SlotContent {
        guard let card else { return .empty }
        let storageCard: StorageCard =
            switch card.technology {
            case .typeA106: .ultralight
            case .felica212: StorageCard(.typeA, .felica212)
            case .felica424: StorageCard(.typeA, .felica424)
            }
        return card.inSlot(ContactlessATR(storageCard))
    }

    private mutating func adopt(_ found: FoundCard?) {
        card = found
        hasFailed = false
        if let found { chip.adopt(found) }
    }

    /// Sends data to the card in the slot by the chip; what went wrong before is mended by selecting it anew.
    mutating func exchange(_ data: [UInt8], in world: inout World) -> InDataExchange.Response {
        guard let card, prepare(card, in: &world) else { return InDataExchange.Response(.timeout) }
        let response = chip.exchange(InDataExchange.Request(1, data), in: &world)
        hasFailed = !response.status.isOK
        return response
    }

    private mutating func prepare(_ card: FoundCard, in world: inout World) -> Bool {
        guard hasFailed || !chip.holds(card) else { return true }
        guard card.isPresent(in: world) else { return false }
        if case .typeA(let tag) = card.identity {
            guard let found = world.findTypeA(tag.uid) else { return false }
            adopt(found)
        } else {
            world.switchField(on: true)
            adopt(card)
        }
        return true
    }
}
