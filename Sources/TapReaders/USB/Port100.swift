import TapField
import TapWire

/// Sony RC-S380 on USB: an NFC Port-100, which sends frames built by its host.
///
/// The host looks for cards itself. Commands that turn the reader into a card are answered, but no other reader ever arrives.
/// Source: nfcpy, driver `rcs380`; Linux, driver `port100`.
package struct Port100: USBReader {
    private enum Endpoint {
        static let toReader: UInt8 = 0x02
        static let toHost: UInt8 = 0x81
    }

    package let device = USBDevice(
        0x054C, 0x06C3, "SONY", "RC-S380/P",
        [USBInterface(USBInterface.vendorClass, [.bulk(Endpoint.toReader), .bulk(Endpoint.toHost)])])

    private var actions: [USBAction] = []
    private var command: Port100Packet.Command?
    /// The technology; `nil` before it is set, and for a technology that no emulated card has.
    private var technology: Technology?
    private var settings: [UInt8: UInt8] = [:]
    private var faults = FrameFaults()

    package init() {}

    /// Receives a frame; other transfers are ignored, as by the chip.
    package mutating func receive(_ bytes: [UInt8], at endpoint: UInt8) {
        guard endpoint == Endpoint.toReader else { return }
        switch Port100Frame(bytes) {
        case .acknowledgement:
            (actions, command) = ([.drop(endpoint: Endpoint.toHost)], nil)
        case .packet(let packet):
            guard let command = Port100Packet.Command(packet) else { return }
            self.command = command
            actions += [.send(Port100Frame.acknowledgement.bytes, endpoint: Endpoint.toHost), .work]
        case nil: break
        }
    }

    package mutating func next() -> USBAction? { actions.isEmpty ? nil : actions.removeFirst() }

    package mutating func work(in world: inout World) {
        guard let command else { return }
        self.command = nil
        let before = world.rfCount
        let (data, isFruitless) = answer(to: command, in: &world)
        let answer = command.answer(data)
        world.noteHost(since: before, HostCall(.port100, command.bytes, .answer(answer)))
        if isFruitless { actions.append(.rest) }
        faults.take(from: &world)
        actions.append(.send(faults.changed(Port100Frame.packet(answer).bytes), endpoint: Endpoint.toHost))
    }

    /// Returns the data of the answer, and whether it reports that a search found no card.
    private mutating func answer(
        to command: Port100Packet.Command, in world: inout World
    ) -> (data: [UInt8], isFruitless: Bool) {
        switch command.code {
        case .setRF: technology = Port100Packet.technology(setting: command.data)
        case .setProtocol: set(command.data)
        case .exchange: return exchange(command.data, in: &world)
        case .switchRF: world.switchField(on: command.data.first ?? 0 != 0)
        // Version 1.11, low byte first.
        case .getFirmwareVersion: return ([0x11, 0x01], false)
        case .getDataVersion: return ([0x00, 0x01], false)
        // A bit mask: types 0 and 1.
        case .getCommandTypes: return ([0, 0, 0, 0, 0, 0, 0, 0x03], false)
        default: break
        }
        return ([0x00], false)
    }

    private mutating func set(_ data: [UInt8]) {
        for place in stride(from: 0, to: data.count - 1, by: 2) { settings[data[place]] = data[place + 1] }
    }

    private func isOn(_ setting: Port100Packet.Setting) -> Bool { settings[setting.rawValue] ?? 1 != 0 }

    /// Sends a frame with the current settings; the first two bytes are the timeout in tenths of a millisecond, low byte first.
    private func exchange(_ data: [UInt8], in world: inout World) -> (data: [UInt8], isFruitless: Bool) {
        guard data.count > 2, let technology else { return (Port100Packet.Status.timeout.bytes, true) }
        let patience = Duration.microseconds(100 * Int(data.span.littleEndian16(at: 0)))
        let frame = Array(data[2...])
        // The field is switched on with the first frame.
        world.switchField(on: true)
        let lastBits = settings[Port100Packet.Setting.lastBits.rawValue] ?? 8
        let channel = RawChannel(
            technology: technology, appendsCRC: isOn(.appendedCRC), checksCRC: isOn(.checkedCRC),
            hasParity: isOn(.sentParity) || isOn(.checkedParity), lastBits: lastBits % 8)
        guard let reception = channel.exchange(frame, in: &world, waiting: patience) else {
            return (Port100Packet.Status.timeout.bytes, frame.isSearch(technology))
        }
        switch reception.integrity {
        case .good: break
        case .badCRC: return (Port100Packet.Status.badCRC.bytes, false)
        case .badParity: return (Port100Packet.Status.badParity.bytes, false)
        }
        let bits = reception.lastBits == 0 ? 8 : reception.lastBits
        return (Port100Packet.Status.success.bytes + [bits] + reception.bytes, false)
    }
}

extension [UInt8] {
    /// Returns whether a frame looks for cards: a Polling, REQA or WUPA.
    fileprivate func isSearch(_ technology: Technology) -> Bool {
        technology.isFeliCa
            ? (try? Polling.Request(parsing: self)) != nil
            : count == 1 && [ShortFrame.reqa.rawValue, ShortFrame.wupa.rawValue].contains(self[0])
    }
}
