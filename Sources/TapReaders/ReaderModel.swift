import TapWire

/// A kind of reader; the raw value is its name in scenarios.
public enum ReaderModel: String, Hashable, Sendable, CaseIterable {
    /// A reader for contactless storage cards as described by PC/SC part 3.
    case storageCard = "storage-card"
    /// ACS ACR122U, a PN532 with a CCID interface.
    case acr122u
    case rcs380 = "rc-s380"
    case rcs300 = "rc-s300"
    case rcs330 = "rc-s330"
    case scl3711

    public static let `default` = ReaderModel.storageCard
    /// The USB model that most programs look for.
    package static let usbDefault = ReaderModel.rcs380

    /// A phrase that describes the model.
    public var summary: String {
        switch self {
        case .storageCard: "PC/SC part 3 reader with transparent sessions, no vendor commands"
        case .acr122u: "ACS ACR122U: a PN532 through direct transmit, escape commands without a card"
        case .rcs380: "Sony RC-S380: select service, raw packets, transparent sessions"
        case .rcs300: "Sony RC-S300: like the RC-S380, plus escape commands"
        case .rcs330: "Sony RC-S330 (also RC-S360, RC-S370): an RC-S956 on USB"
        case .scl3711: "SCM SCL3711: a PN533 on USB"
        }
    }

    /// The vendor of its vendor-specific commands.
    public var maker: String {
        switch self {
        case .storageCard, .scl3711: "PC/SC part 3"
        case .acr122u: "ACS"
        case .rcs380, .rcs300, .rcs330: "Sony"
        }
    }

    /// The name the driver of the real reader reports, without the two numbers a PC/SC service appends.
    ///
    /// Sources: the list of readers in the CCID driver of Linux; for the RC-S380, which has no driver there, the name under
    /// Windows. The serial number after the name of the RC-S300 is omitted.
    public var name: String {
        switch self {
        case .storageCard: StorageCardReader.defaultName
        case .acr122u: ACR122U.defaultName
        case .rcs380, .rcs330: "Sony FeliCa Port/PaSoRi 3.0"
        case .rcs300: "SONY FeliCa RC-S300/P"
        case .scl3711: "SCM Micro SCL3711-NFC&RW"
        }
    }

    /// A Boolean value that indicates whether its chip is a PN532 or a chip of that family.
    package var hasPN532: Bool { [.acr122u, .rcs330, .scl3711].contains(self) }

    /// Makes the chip that a program drives over a serial line: an RC-S956 for the RC-S330, as in the RC-S620/S, a PN533 for
    /// the SCL3711, and a PN532 for all others.
    package func makeChip() -> PN532 {
        switch self {
        case .rcs330: PN532(.rcs956)
        case .scl3711: PN532(.pn533)
        case .storageCard, .acr122u, .rcs380, .rcs300: PN532()
        }
    }

    /// Makes a reader as presented by its PC/SC driver.
    ///
    /// The driver of the RC-S330 has the same name as that of the RC-S380 and is assumed to be the same. Nothing public
    /// describes the driver of the SCL3711, so it answers according to PC/SC part 3.
    ///
    /// - Parameter name: The name of the reader; by default that of the real one.
    public func makeReader(name: String? = nil) -> any PCSCReader {
        let name = name ?? self.name
        return switch self {
        case .storageCard, .scl3711: StorageCardReader(name: name)
        case .acr122u: ACR122U(name: name)
        case .rcs380, .rcs330: SonyReader(.rcs380, name: name)
        case .rcs300: SonyReader(.rcs300, name: name)
        }
    }
}

extension ReaderModel: OtherwiseNamed {
    /// Product names of readers with the same chip and commands, and names of chips and series.
    package var otherNames: [String] {
        switch self {
        case .storageCard: ["pcsc"]
        case .acr122u: ["acr122", "acr122t", "pn532"]
        case .rcs380: ["rc-s380/s", "rc-s380/p", "pasori", "felica-port"]
        case .rcs300: ["rc-s300/s", "rc-s300/p", "rc-s300/s1", "pasori"]
        case .rcs330: ["rc-s620", "rc-s620/s", "rc-s360", "rc-s370", "rc-s956", "pasori"]
        case .scl3711: ["pn533"]
        }
    }
}

/// Attributes that the CCID driver of Linux derives from the USB descriptors of a reader.
///
/// Sources: pcsc-lite, `reader.h`, for the numbers; libccid, `ifdhandler.c`, for the values, and its list of readers for
/// the descriptors.
struct ReaderAttribute: Hashable, Sendable {
    /// iManufacturer.
    let vendor: String
    /// bcdDevice: two digits before the point, two after it.
    let release: UInt16
    /// dwMaxCCIDMessageLength.
    var longestMessage: UInt32 = 271

    private static let vendorName: UInt32 = 0x0001_0100
    private static let vendorVersion: UInt32 = 0x0001_0102
    private static let maximumInput: UInt32 = 0x0007_A007
    /// The number of bytes in a CCID message before its data.
    private static let messageHeader: UInt32 = 10

    /// The value of an attribute, or `nil` if the driver does not know it; numbers are little-endian.
    subscript(id: UInt32) -> [UInt8]? {
        switch id {
        case Self.vendorName: vendor.utf8 + [0]
        case Self.vendorVersion: (UInt32(release) << 16).littleEndianBytes
        case Self.maximumInput: (longestMessage - Self.messageHeader).littleEndianBytes
        default: nil
        }
    }
}

/// Drivers' answers to control codes.
///
/// The CCID driver of Linux accepts escape commands under code 1, drivers of Windows under code 3500; both are answered. Under
/// code 3400, a driver lists its features.
enum ReaderControl {
    /// - Parameters:
    ///   - properties: The properties of the reader in the driver.
    ///   - escape: Answers an escape command.
    static func answer(_ code: UInt32, properties: [ReaderProperty] = [], escape: () -> ReaderAnswer) -> ReaderAnswer {
        switch ControlCode(code) {
        case let code where code.isEscape: escape()
        case .features: .answer(features(hasProperties: !properties.isEmpty).flatMap(\.bytes))
        case .properties where !properties.isEmpty: .answer(properties.flatMap(\.bytes))
        default: .unsupported
        }
    }

    private static func features(hasProperties: Bool) -> [ReaderFeature] {
        (hasProperties ? [ReaderFeature(.properties, .properties)] : []) + [ReaderFeature(.escape, .vendorExchange)]
    }
}
