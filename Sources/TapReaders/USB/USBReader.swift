import TapField
import TapWire

/// A reader at the end of a USB cable, without input or output: transfers in, transfers out.
///
/// Its transport gives it what the host sends and carries its actions out, one after another, until there is none. A
/// reader that works sends its answer afterwards, so what it said before, such as an ACK, is under way by then.
package protocol USBReader: Sendable {
    var device: USBDevice { get }

    /// Takes a bulk transfer of the host; one without bytes only ends the transfer before it.
    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8)

    /// What is to be done next; `nil` until something happens.
    mutating func next() -> USBAction?

    /// Carries out the command that ``USBAction/work`` is for.
    mutating func work(in world: inout World)

    /// Cards have arrived or left.
    mutating func lookAgain()

    /// The time of ``USBAction/wait(upTo:)`` has passed.
    mutating func giveUp()
}

extension USBReader {
    package mutating func lookAgain() {}
    package mutating func giveUp() {}
}

/// An action of a ``USBReader``.
package enum USBAction: Hashable, Sendable {
    /// Send bytes to the host, as one transfer.
    case send([UInt8], endpoint: UInt8)
    /// Forget what was sent and not fetched yet.
    case drop(endpoint: UInt8)
    /// Call ``USBReader/work(in:)``.
    case work
    /// Rest before the next action: a reader takes some time to find that there is no card.
    case rest
    /// Wait for the host or for cards, at most this long; `nil` for no limit.
    case wait(upTo: Duration?)
}

extension ReaderModel {
    /// Makes the reader as it is on the bus; `nil` for a model that is no device of its own.
    ///
    /// The descriptors are those that published clients ask for; what no client asks for is inferred. Sources: nfcpy
    /// and libnfc, their lists of devices; the list of readers of the CCID driver of Linux; public WebUSB pages.
    package func makeUSBReader() -> (any USBReader)? {
        switch self {
        case .storageCard: nil
        case .acr122u: CCIDReader(makeReader(), CCIDReader.acr122u)
        case .rcs300: CCIDReader(makeReader(), CCIDReader.rcs300)
        case .rcs380: Port100()
        case .rcs330: PN53xReader(.rcs956)
        case .scl3711: PN53xReader(.pn533)
        }
    }

    /// Whether it can be plugged into the bus.
    package var isOnUSB: Bool { self != .storageCard }
}

extension USBDevice {
    /// The serial number of every reader: as many digits as Sony's have.
    private static let serial = "0123456"

    init(
        _ vendor: UInt16, _ product: UInt16, release: UInt16 = 0x0100, _ manufacturer: String, _ name: String,
        _ interfaces: [USBInterface]
    ) {
        self.init(
            vendor: vendor, product: product, release: release, manufacturer: manufacturer, name: name,
            serial: Self.serial, interfaces: interfaces)
    }
}
