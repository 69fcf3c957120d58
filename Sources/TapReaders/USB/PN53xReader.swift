import TapField
import TapWire

/// A PN533, or the RC-S956 of Sony's older readers, on USB: the frames of a PN532, one per transfer.
package struct PN53xReader: USBReader {
    private enum Endpoint {
        static let toReader: UInt8 = 0x04
        static let toHost: UInt8 = 0x84
    }

    package let device: USBDevice
    private var chip: WiredPN532
    private var drops = false

    package init(_ variant: PN532.Variant) {
        let interfaces = [USBInterface(USBInterface.vendorClass, [.bulk(Endpoint.toReader), .bulk(Endpoint.toHost)])]
        device =
            variant == .rcs956
            ? USBDevice(0x054C, 0x02E1, "SONY", "FeliCa Port/PaSoRi 3.0", interfaces)
            : USBDevice(0x04E6, 0x5591, "SCM Micro", "SCL3711-NFC&RW", interfaces)
        chip = WiredPN532(PN532(variant))
    }

    package mutating func receive(_ bytes: [UInt8], at endpoint: UInt8) {
        guard endpoint == Endpoint.toReader else { return }
        // The host's ACK ends the command in progress, and its answer is no longer wanted.
        drops = drops || (try? PN532Frame(parsing: bytes)) == .acknowledgement
        chip.receive(bytes[...])
    }

    package mutating func next() -> USBAction? {
        if drops {
            drops = false
            return .drop(endpoint: Endpoint.toHost)
        }
        switch chip.next() {
        case .send(let bytes): return .send(bytes, endpoint: Endpoint.toHost)
        case .work: return .work
        case .wait(let limit): return .wait(upTo: limit)
        case .hangUp, nil: return nil
        }
    }

    package mutating func work(in world: inout World) { chip.work(in: &world) }
    package mutating func rescan() { chip.rescan() }
    package mutating func giveUp() { chip.giveUp() }
}
