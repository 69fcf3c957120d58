import TapField
import TapWire

/// A PC/SC reader on USB as its driver sees it: CCID messages with APDUs or commands to the reader itself.
///
/// Source: USB-IF, CCID specification 1.1, section 6.
package struct CCIDReader: USBReader {
    /// The USB side of a reader: its descriptors, and its endpoints for messages.
    struct Connector {
        /// The endpoints of an interface: for messages to the reader, and for its answers to the host.
        struct Pipe: Hashable, Sendable {
            let toReader: UInt8
            let toHost: UInt8
            /// A Boolean value that indicates whether it is a vendor-specific interface, which accepts only commands to the
            /// reader itself.
            var isVendor = false
        }

        let device: USBDevice
        let pipes: [Pipe]
        /// The endpoint for card notifications.
        let notices: UInt8
        let longestMessage: Int
        /// A Boolean value that indicates whether the slot always answers as if it contained a card: its drivers use it to send
        /// commands to the reader.
        var isAlwaysPowered = false
    }

    package let device: USBDevice
    private let connector: Connector
    private var reader: any PCSCReader
    private var actions: [USBAction] = []
    /// The beginnings of messages that need more transfers, for each pipe.
    private var beginnings: [UInt8: [UInt8]] = [:]
    private var command: (CCIDCommand, Connector.Pipe)?
    private var isPowered = false
    /// The card in the slot when the reader last looked; `nil` for an empty slot.
    private var presented: SlotCard?
    /// The last notification and its card.
    private var notice = Notice.none

    private enum Notice: Equatable {
        case none
        case empty
        case card(Int, visit: Int)
    }

    init(_ reader: any PCSCReader, _ connector: Connector) {
        device = connector.device
        self.reader = reader
        self.connector = connector
    }

    package mutating func receive(_ bytes: [UInt8], at endpoint: UInt8) {
        guard let pipe = connector.pipes.first(where: { $0.toReader == endpoint }) else { return }
        let message = (beginnings.removeValue(forKey: endpoint) ?? []) + bytes
        guard let length = CCIDCommand.length(of: message) else {
            beginnings[endpoint] = message
            return
        }
        // Anything too long, or longer than its length field, is not a message.
        guard length <= connector.longestMessage, message.count <= length else { return }
        guard let command = CCIDCommand(message) else {
            beginnings[endpoint] = message
            return
        }
        self.command = (command, pipe)
        actions.append(.work)
    }

    package mutating func next() -> USBAction? { actions.isEmpty ? nil : actions.removeFirst() }

    package mutating func rescan() {
        if !actions.contains(.work) { actions.append(.work) }
    }

    /// Carries out the message that has arrived; without a message, checks whether there is a card change to report.
    package mutating func work(in world: inout World) {
        guard let (command, pipe) = command else { return look(in: &world) }
        self.command = nil
        let answer = command.slot == 0 ? answer(to: command, pipe, in: &world) : Self.noSlot(command)
        actions.append(
            .send(answer.bytes(slot: command.slot, sequence: command.sequence), endpoint: pipe.toHost))
        // A command may be the first to find that a card has arrived or left.
        if notice != .none { announce() }
    }

    private static func noSlot(_ command: CCIDCommand) -> CCIDAnswer {
        CCIDAnswer(to: command.kind, card: .absent, failure: .slotDoesNotExist)
    }

    private mutating func look(in world: inout World) {
        _ = card(in: &world)
        announce()
    }

    /// Sends RDR_to_PC_NotifySlotChange if the host has not been notified of the slot's content: bit 0 means a card is present,
    /// bit 1 a change.
    ///
    /// The first notification comes after configuration, with or without a card: an ACR122U sends `50 02` to the CCID driver of
    /// Linux, which therefore waits for it when it opens a reader. Source: its `ccid_open_hack_post`; the log of an ACR122U in
    /// issue 146 of LudovicRousseau/PCSC.
    private mutating func announce() {
        let current: Notice = presented.map { .card($0.card, visit: $0.visit) } ?? .empty
        guard notice != current else { return }
        notice = current
        actions.append(.send([0x50, presented == nil ? 0x02 : 0x03], endpoint: connector.notices))
    }

    /// Returns the card in the slot and its state; a card that arrived since the last look is not powered yet.
    private mutating func card(in world: inout World) -> (slot: SlotCard?, state: CCIDAnswer.Card) {
        note(reader.look(in: &world))
        return (presented, presented == nil ? .absent : isPowered ? .active : .inactive)
    }

    private mutating func note(_ content: SlotContent) {
        let found: SlotCard? = if case .card(let card) = content { card } else { nil }
        if found?.card != presented?.card || found?.visit != presented?.visit { isPowered = false }
        presented = found
    }

    private mutating func answer(
        to command: CCIDCommand, _ pipe: Connector.Pipe, in world: inout World
    ) -> CCIDAnswer {
        let (slot, state) = card(in: &world)
        let kind = command.kind
        switch kind {
        case .escape: return escaped(command, state, in: &world)
        case _ where pipe.isVendor: return CCIDAnswer(to: kind, card: state, failure: .commandNotSupported)
        case .powerOn: return powerOn(in: &world)
        case .powerOff:
            reader.powerDown(in: &world)
            isPowered = false
            return CCIDAnswer(to: kind, card: slot == nil ? .absent : .inactive)
        case .transfer: return transferred(command, state, in: &world)
        case .getSlotStatus, .abort: return CCIDAnswer(to: kind, card: state)
        case .getParameters, .resetParameters, .setParameters:
            return CCIDAnswer(to: kind, card: state, Self.parameters, detail: 1)
        default: return CCIDAnswer(to: kind, card: state, failure: .commandNotSupported)
        }
    }

    /// The structure of T=1 (CCID specification 1.1, section 6.1.7) with its default values.
    private static let parameters: [UInt8] = [0x11, 0x10, 0x00, 0x4D, 0x00, 0xFE, 0x00]

    private static let emptyATR: [UInt8] = [0x3B, 0x00]

    private mutating func powerOn(in world: inout World) -> CCIDAnswer {
        note(reader.reset(in: &world))
        guard let presented else {
            return connector.isAlwaysPowered
                ? CCIDAnswer(to: .powerOn, card: .absent, Self.emptyATR)
                : CCIDAnswer(to: .powerOn, card: .absent, failure: .cardIsMute)
        }
        isPowered = true
        world.noteATR()
        return CCIDAnswer(to: .powerOn, card: .active, presented.atr)
    }

    private mutating func transferred(
        _ command: CCIDCommand, _ state: CCIDAnswer.Card, in world: inout World
    ) -> CCIDAnswer {
        // Without a card, only commands to the reader itself are possible.
        let answer =
            state == .absent && connector.isAlwaysPowered
            ? reader.carry(ControlCode.vendorExchange.rawValue, command.data, in: &world)
            : reader.carry(command.data, in: &world)
        return switch answer {
        case .answer(let bytes): CCIDAnswer(to: .transfer, card: state, bytes)
        case .noCard: CCIDAnswer(to: .transfer, card: .absent, failure: .cardIsMute)
        case .failed, .unsupported: CCIDAnswer(to: .transfer, card: state, failure: .cardMadeAnError)
        }
    }

    private mutating func escaped(
        _ command: CCIDCommand, _ state: CCIDAnswer.Card, in world: inout World
    ) -> CCIDAnswer {
        guard case .answer(let bytes) = reader.carry(ControlCode.vendorExchange.rawValue, command.data, in: &world)
        else {
            return CCIDAnswer(to: .escape, card: state, failure: .commandNotSupported)
        }
        return CCIDAnswer(to: .escape, card: state, bytes)
    }
}

extension CCIDReader {
    private static let acr122uDescriptor = CCIDDescriptor(
        version: 0x0100, rate: 10_752, maximumRate: 250_000, maximumBlock: 256, features: 0x0002_0040,
        longestMessage: 271)

    /// The order of the endpoints is inferred.
    static let acr122u = Connector(
        device: USBDevice(
            0x072F, 0x2200, release: 0x0207, "ACS", "ACR122U PICC Interface",
            [
                USBInterface(
                    CCIDDescriptor.classCode,
                    [.interrupt(0x81, packetSize: 8, interval: 10), .bulk(0x02), .bulk(0x82)],
                    classDescriptor: acr122uDescriptor.bytes)
            ]),
        pipes: [.init(toReader: 0x02, toHost: 0x82)], notices: 0x81,
        longestMessage: Int(acr122uDescriptor.longestMessage), isAlwaysPowered: true)

    private static let rcs300Descriptor = CCIDDescriptor(
        version: 0x0110, rate: 115_200, maximumRate: 921_600, maximumBlock: 254, features: 0x0004_007E,
        longestMessage: 522)

    /// Web pages and drivers use the vendor-specific interface, whose endpoints are known; those of the other interface are
    /// inferred.
    static let rcs300 = Connector(
        device: USBDevice(
            0x054C, 0x0DC9, "SONY", "FeliCa Port/PaSoRi 4.0",
            [
                USBInterface(
                    CCIDDescriptor.classCode,
                    [.interrupt(0x81, packetSize: 16, interval: 16), .bulk(0x01), .bulk(0x83)],
                    classDescriptor: rcs300Descriptor.bytes),
                USBInterface(USBInterface.vendorClass, [.bulk(0x02), .bulk(0x82)]),
            ]),
        pipes: [.init(toReader: 0x01, toHost: 0x83), .init(toReader: 0x02, toHost: 0x82, isVendor: true)],
        notices: 0x81, longestMessage: Int(rcs300Descriptor.longestMessage))
}
