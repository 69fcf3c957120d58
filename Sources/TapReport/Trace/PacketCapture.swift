import TapDescribe
import TapField
import TapWire

/// A trace as a pcapng capture that Wireshark reads directly.
///
/// Each reader has an interface for each layer. FeliCa packets are exported PDUs from their command code on, for the dissector
/// `felica`. Frames before a type A card is selected have the pseudo header of link type 264; commands of type 2 tags, APDUs
/// and packets of a PN532 are exported PDUs again. Times are card time in nanoseconds since 1970. Faults, silence, and lines
/// of the scenario are comments.
/// Sources: draft-ietf-opsawg-pcapng, LINKTYPE_WIRESHARK_UPPER_PDU and LINKTYPE_ISO_14443 of tcpdump.org, Wireshark's
/// exported_pdu_tlvs.h.
public struct PacketCapture {
    private var interfaces: [Interface] = []
    private var packets: [Packet] = []
    /// Comments on events without a packet, which are attached to the next packet.
    private var pending: [String] = []
    private var command: (packet: Int, frame: RFFrame)?
    private var commandPackets: [Int] = []
    private var cardName: String?
    private var omission: TraceOmission?

    public init(_ trace: Trace) {
        omission = trace.omission
        var nextSequence = 0
        for event in trace.events {
            if event.sequence > nextSequence, let omission {
                self.omission = nil
                command = nil
                commandPackets = []
                pending.append("\(omission.exchanges) exchanges are not kept")
            }
            nextSequence = event.sequence + 1
            add(event)
        }
    }

    public var bytes: [UInt8] {
        var file = PcapngWriter()
        let isEmpty = packets.isEmpty
        file.section(comments: isEmpty ? pending : [])
        for interface in interfaces { file.interface(interface.layer.linkType, name: interface.name) }
        for (place, packet) in packets.enumerated() {
            file.packet(packet, comments: packet.comments + (place == packets.count - 1 ? pending : []))
        }
        return file.bytes
    }

    /// The traffic that an interface carries.
    fileprivate enum Layer: String {
        case feliCa = "FeliCa"
        case selection = "ISO 14443-3"
        case type2 = "type 2 tag"
        case apdu = "APDU"
        case pn532 = "PN532"
        case port100 = "Port-100"

        var linkType: UInt16 { self == .selection ? 264 : 252 }
    }

    fileprivate struct Interface: Equatable {
        let reader: String?
        let layer: Layer

        var name: String {
            "\(PrintableText.line(String((reader ?? "reader").unicodeScalars.prefix(200)))), \(layer.rawValue)"
        }
    }

    fileprivate struct Packet {
        let interface: Int
        var time: Duration
        /// The sender; `nil` if the packet is not a frame.
        let sender: TransmissionTime.Sender?
        let data: [UInt8]
        var comments: [String]
    }
}

// Conversion of events to packets and comments.

extension PacketCapture {
    private mutating func add(_ event: TraceEvent) {
        let source = event.source.map { " (\($0))" } ?? ""
        switch event.kind {
        case .field(let isOn):
            command = nil
            let data = Self.pseudoHeader(isOn ? .fieldOn : .fieldOff, [])
            append(event, .selection, nil, data, [source].filter { !$0.isEmpty }.map { "field\($0)" })
        case .card(let name, let isPresent):
            let reader = event.reader ?? "the reader"
            pending.append("\(name) \(isPresent ? "comes before" : "leaves") \(reader)\(source)")
        case .slot(let name, let atr): pending.append(SlotText.line(name, atr))
        case .call(let call): add(call, event, source)
        case .command(let frame):
            let (layer, data) = Self.command(frame)
            append(event, layer, .reader, data, damage(frame))
            command = (packets.count - 1, frame)
            commandPackets.append(packets.count - 1)
        case .answer(let frame, let card, _, _):
            let isOther = card != cardName
            cardName = card
            answer(event, frame, isOther ? ["\(card) answers"] : [])
        case .collision(let frame, let bit, let cards):
            cardName = nil
            answer(event, frame, ["collision at bit \(bit) of \(cards.joined(separator: " and "))"])
        case .opened(let frame, let command):
            comment("encrypted: \(FrameDescription(opened: frame, answering: command).line)")
        case .silence: comment("silence")
        case .fault(let fault): comment("fault \(fault)\(source)")
        case .note(let text): comment(text + source)
        }
    }

    /// Adds a host's command before the exchanges it led to, and the answer after them.
    private mutating func add(_ call: HostCall, _ event: TraceEvent, _ source: String) {
        let words = CallText(call)
        guard let described = call.described else {
            return pending.append("\(words.command): \(words.outcome)\(source)")
        }
        let layer: Layer =
            switch call.layer {
            case .pn532: .pn532
            case .port100: .port100
            default: .apdu
            }
        let title = described.line.isEmpty ? "command" : described.line
        let sent = Self.exported(nil, .reader, "\(layer.rawValue) \(title)", call.command)
        let hasAnswer = !call.outcome.answer.isEmpty
        let outcome = hasAnswer ? (call.isRefused ? "refused" : "") : words.outcome
        let comments = (outcome + source).isEmpty ? [] : [outcome + source]
        let exchanges = max(0, commandPackets.count - call.exchangeCount)..<commandPackets.count
        append(event, layer, .reader, sent, hasAnswer ? [] : comments)
        if let place = exchanges.first {
            let first = commandPackets[place]
            var packet = packets.removeLast()
            packet.time = packets[first].time
            packets.insert(packet, at: first)
            for place in exchanges { commandPackets[place] += 1 }
            command = command.map { ($0.packet + ($0.packet >= first ? 1 : 0), $0.frame) }
        }
        guard hasAnswer else { return }
        let line = described.answer?.line ?? ""
        let answer = Self.exported(
            nil, .card, "\(layer.rawValue) \(line.isEmpty ? "answer" : line)", call.outcome.answer)
        append(event, layer, .card, answer, comments)
    }

    /// Adds a comment to the last command, or to the next packet if there is none yet.
    private mutating func comment(_ text: String) {
        if let command { packets[command.packet].comments.append(text) } else { pending.append(text) }
    }

    private mutating func answer(_ event: TraceEvent, _ frame: RFFrame, _ comments: [String]) {
        // An answer whose command was dropped is described by its bytes alone.
        let (layer, data) = Self.answer(frame, to: command?.frame ?? RFFrame(frame.technology, []))
        append(event, layer, .card, data, comments + damage(frame))
    }

    private func damage(_ frame: RFFrame) -> [String] {
        switch frame.integrity {
        case .good: []
        case .badCRC: ["damaged, CRC wrong"]
        case .badParity: ["damaged, parity wrong"]
        }
    }

    private mutating func append(
        _ event: TraceEvent, _ layer: Layer, _ sender: TransmissionTime.Sender?, _ data: [UInt8], _ comments: [String]
    ) {
        let interface = Interface(reader: event.reader, layer: layer)
        if !interfaces.contains(interface) { interfaces.append(interface) }
        packets.append(
            Packet(
                interface: interfaces.firstIndex(of: interface) ?? 0, time: event.time, sender: sender, data: data,
                comments: pending + comments))
        pending = []
    }
}

// Conversion of frames to the input of Wireshark's dissectors.

extension PacketCapture {
    /// Byte 1 of the pseudo header.
    private enum PseudoHeaderEvent: UInt8 {
        case fieldOn = 0xFC
        case fieldOff = 0xFD
        case command = 0xFE
        case answer = 0xFF
    }

    private static func pseudoHeader(_ event: PseudoHeaderEvent, _ data: [UInt8]) -> [UInt8] {
        [0, event.rawValue, UInt8(truncatingIfNeeded: data.count >> 8), UInt8(truncatingIfNeeded: data.count)] + data
    }

    private static func command(_ frame: RFFrame) -> (Layer, [UInt8]) {
        let line = { FrameDescription(command: frame).line }
        if frame.technology.isFeliCa { return (.feliCa, feliCa(frame, .reader, line)) }
        guard isSelection(frame) else { return (.type2, type2(frame, .reader, line)) }
        return (.selection, pseudoHeader(.command, TypeAFraming.rfBytes(command: frame)))
    }

    private static func answer(_ frame: RFFrame, to command: RFFrame) -> (Layer, [UInt8]) {
        let line = { FrameDescription(answer: frame, to: command).line }
        if frame.technology.isFeliCa { return (.feliCa, feliCa(frame, .card, line)) }
        guard isSelection(answer: frame, to: command) else { return (.type2, type2(frame, .card, line)) }
        return (.selection, pseudoHeader(.answer, TypeAFraming.rfBytes(answer: frame, to: command)))
    }

    /// Returns whether Wireshark's dissector of ISO/IEC 14443 decodes a command correctly.
    ///
    /// It treats an anticollision frame with some bits of a UID as a SELECT.
    private static func isSelection(_ command: RFFrame) -> Bool {
        let bytes = command.bytes
        if command.bitCount == TypeAFraming.shortFrameBits { return true }
        guard bytes.count >= 2, command.bitCount == bytes.count * 8 else { return false }
        if bytes == [UInt8(HLTA.Request.code >> 8), UInt8(truncatingIfNeeded: HLTA.Request.code)] { return true }
        guard CascadeLevel(sel: bytes[0]) != nil else { return false }
        return bytes[1] == Select.nvb
            ? bytes.count == Select.Request.length
            : bytes.count * 8 == Anticollision.headerBits && bytes[1] == Anticollision.Request(.first).nvb
    }

    private static func isSelection(answer: RFFrame, to command: RFFrame) -> Bool {
        guard isSelection(command) else { return false }
        if command.bitCount == TypeAFraming.shortFrameBits { return answer.bitCount == 16 }
        guard CascadeLevel(sel: command.bytes[0]) != nil else { return false }
        return answer.bitCount == (command.bytes[1] == Select.nvb ? 8 : CascadePart.bitCount)
    }

    /// Returns a FeliCa packet without its length byte.
    private static func feliCa(_ frame: RFFrame, _ sender: TransmissionTime.Sender, _ line: () -> String) -> [UInt8] {
        let payload = Array(frame.bytes.dropFirst())
        return exported(isKnownFeliCa(payload) ? "felica" : nil, sender, "FeliCa \(line())", payload)
    }

    /// Returns whether Wireshark's dissector of FeliCa decodes a payload to its end.
    ///
    /// It treats the byte after the first service code as the number of blocks, and expects one even if the status flags
    /// report an error.
    private static func isKnownFeliCa(_ payload: [UInt8]) -> Bool {
        guard let code = payload.first.map({ CommandCode($0) }) else { return false }
        let afterIDm = payload.dropFirst(FeliCaPacket.idmLength - 1).first
        return switch code {
        case .readWithoutEncryption: afterIDm == 1
        case CommandCode.readWithoutEncryption.response: afterIDm == 0
        default: true
        }
    }

    /// Returns a command of a type 2 tag or its answer; of these commands, the dissector of MIFARE knows only READ.
    private static func type2(_ frame: RFFrame, _ sender: TransmissionTime.Sender, _ line: () -> String) -> [UInt8] {
        let isRead = sender == .reader && frame.bytes.count == 2 && frame.bytes[0] == Type2Opcode.read.rawValue
        return exported(isRead ? "mifare" : nil, sender, "NTAG \(line())", frame.bytes)
    }

    private enum Tag: UInt16 {
        case end = 0
        case dissectorName = 12
        case protocolText = 33
        case direction = 35
    }

    /// Returns an exported PDU for a dissector or, without one, as data under a text.
    private static func exported(
        _ dissector: String?, _ sender: TransmissionTime.Sender, _ text: @autoclosure () -> String, _ payload: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ tag: Tag, _ value: [UInt8]) {
            let padded = value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            for number in [tag.rawValue, UInt16(padded.count)] {
                bytes += [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
            }
            bytes += padded
        }
        append(.dissectorName, Array((dissector ?? "data").utf8))
        append(.direction, [0, 0, 0, sender == .reader ? 0 : 1])
        if dissector == nil { append(.protocolText, PcapngWriter.text(text())) }
        append(.end, [])
        return bytes + payload
    }
}

/// The blocks of a pcapng file, least significant byte first.
private struct PcapngWriter {
    /// The maximum number of Unicode scalars in a comment or a name; in a foreign trace, they may have any length.
    private static let longestText = 1_000

    private(set) var bytes: [UInt8] = []

    private enum Block: UInt32 {
        case section = 0x0A0D_0D0A
        case interface = 1
        case packet = 6
    }

    mutating func section(comments: [String]) {
        var body: [UInt8] = []
        Self.append(0x1A2B_3C4D as UInt32, to: &body)
        // Version 1.0, and no section length.
        for number in [1, 0] as [UInt16] { Self.append(number, to: &body) }
        Self.append(UInt64.max, to: &body)
        append(.section, body, Self.options(comments))
    }

    mutating func interface(_ linkType: UInt16, name: String) {
        var body: [UInt8] = []
        for number in [linkType, 0] { Self.append(number, to: &body) }
        // No limit on the packet length.
        Self.append(0 as UInt32, to: &body)
        // The name, and a resolution of 10⁻⁹ s.
        append(.interface, body, [(2, Self.text(name)), (9, [9])])
    }

    mutating func packet(_ packet: PacketCapture.Packet, comments: [String]) {
        var body: [UInt8] = []
        let time = UInt64(clamping: packet.time.wholeNanoseconds)
        let length = UInt32(packet.data.count)
        for number in [UInt32(packet.interface), UInt32(time >> 32), UInt32(truncatingIfNeeded: time), length, length] {
            Self.append(number, to: &body)
        }
        body += Self.padded(packet.data)
        var options = Self.options(comments)
        // Frames of the reader are outbound.
        if let sender = packet.sender { options.append((2, [sender == .reader ? 2 : 1, 0, 0, 0])) }
        append(.packet, body, options)
    }

    private static func options(_ comments: [String]) -> [(code: UInt16, value: [UInt8])] {
        comments.map { (1, text($0)) }
    }

    static func text(_ text: String) -> [UInt8] {
        Array(PrintableText.visible(String(text.unicodeScalars.prefix(longestText))).utf8)
    }

    private mutating func append(_ block: Block, _ body: [UInt8], _ options: [(code: UInt16, value: [UInt8])]) {
        var content = body
        for (code, value) in options {
            for number in [code, UInt16(value.count)] { Self.append(number, to: &content) }
            content += Self.padded(value)
        }
        if !options.isEmpty { Self.append(0 as UInt32, to: &content) }
        let length = UInt32(content.count + 12)
        Self.append(block.rawValue, to: &bytes)
        Self.append(length, to: &bytes)
        bytes += content
        Self.append(length, to: &bytes)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for place in stride(from: 0, to: number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> place))
        }
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}
