import TapField
import TapWire

/// A reader at the end of a USB cable, without input or output: transfers in, transfers out.
///
/// Its transport passes it the data the host sends and carries out its actions one by one until there are none. A working
/// reader sends its answer afterwards, so earlier data, such as an ACK, is already being sent by then.
package protocol USBReader: Sendable {
    var device: USBDevice { get }

    /// Receives a bulk transfer from the host; an empty transfer only ends the one before it.
    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8)

    /// Returns the next action; `nil` until something happens.
    mutating func next() -> USBAction?

    /// Carries out the command announced by ``USBAction/work``.
    mutating func work(in world: inout World)

    /// Notifies the reader that cards have arrived or left.
    mutating func rescan()

    /// Notifies the reader that the time of ``USBAction/wait(upTo:)`` has passed.
    mutating func giveUp()
}

extension USBReader {
    package mutating func rescan() {}
    package mutating func giveUp() {}
}

package enum USBAction: Hashable, Sendable {
    /// Send bytes to the host, as one transfer.
    case send([UInt8], endpoint: UInt8)
    /// Discard data that was sent but not yet fetched.
    case drop(endpoint: UInt8)
    /// Call ``USBReader/work(in:)``.
    case work
    /// Pause before the next action: a reader takes some time to find that there is no card.
    case rest
    /// Wait for the host or for cards, at most this long; `nil` for no limit.
    case wait(upTo: Duration?)
}

extension ReaderModel {
    /// Makes the reader as it appears on USB; `nil` for a model that is not a device of its own.
    ///
    /// The descriptors contain the values that published clients check; the rest is inferred. Sources: nfcpy and libnfc, their
    /// lists of devices; the list of readers of the CCID driver of Linux; public WebUSB pages.
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

    /// A Boolean value that indicates whether the reader is a USB device.
    package var isOnUSB: Bool { self != .storageCard }
}

extension USBDevice {
    /// The serial number of every reader, with the length Sony uses.
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
