import TapField
import TapWire

/// The transparent session of a reader, in which the host controls the field and the card directly.
///
/// Data objects are carried out in order; the first failure ends the command. Frame settings last until the session ends. The
/// RC-S300 starts with FeliCa, and its protocol can be switched before a session starts, because its open-source drivers send
/// FeliCa packets without a switch.
/// Source: PC/SC part 3, supplement for contactless cards, "transparent session".
package struct TransparentSession: Sendable {
    /// The version of the data objects: that of the supplement.
    private static let version: [UInt8] = [2, 2, 0]
    /// The maximum number of objects in a command, and of parameters in an object; real readers accept fewer.
    static let maximumObjects = 16
    /// The maximum card time that a timer object lets pass.
    private static let longestPause = Duration.seconds(10)

    private(set) var isOpen = false
    let dialect: SessionRequest.Dialect
    var channel: RawChannel
    var waiting: Duration?
    var parameters: [UInt8: [UInt8]] = [:]
    /// The answer to a transmit object, until a receive object takes it.
    var received: RawChannel.Reception?

    struct ObjectFailure: Error {
        let status: StatusWord
    }

    mutating func answer(_ request: SessionRequest, in world: inout World) -> SessionResponse {
        let (objects, broken) = request.objects
        var answers: [SessionObject] = []
        waiting = nil
        for (index, object) in objects.prefix(Self.maximumObjects).enumerated() {
            do throws(ObjectFailure) {
                answers += try perform(object, of: request.step, in: &world)
            } catch {
                return SessionResponse(ObjectStatus(error.status, index: Self.number(index)), answers)
            }
        }
        guard broken.isEmpty, objects.count <= Self.maximumObjects else {
            let index = min(objects.count, Self.maximumObjects)
            return SessionResponse(ObjectStatus(.wrongLength, index: Self.number(index)), answers)
        }
        return SessionResponse(.success, answers)
    }

    /// Returns the number of an object in a status, counted from 1.
    private static func number(_ index: Int) -> UInt8 { UInt8(clamping: index + 1) }

    private mutating func perform(
        _ object: SessionObject, of step: SessionRequest.Step, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        switch step {
        case .manage: return try manage(object, in: &world)
        case .exchange: return try exchange(object, in: &world)
        case .switchProtocol: return try switchProtocol(object, in: &world)
        default: throw ObjectFailure(status: .notSupported)
        }
    }

    private mutating func manage(
        _ object: SessionObject, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        switch object.tag {
        case .version:
            return [SessionObject(.version, Self.version)]
        case .start:
            try checkEmpty(object)
            let technology = channel.technology
            close()
            isOpen = true
            if dialect == .rcs300 { channel = RawChannel(technology: technology) }
        case .end:
            try checkEmpty(object)
            close()
        case .fieldOff, .fieldOn:
            try checkEmpty(object)
            try checkOpen()
            world.switchField(on: object.tag == .fieldOn)
        case .timer:
            world.advance(by: min(try timer(object), Self.longestPause))
        case .getParameters: return [try parameters(askedBy: object)]
        case .setParameters: try setParameters(object)
        default: throw ObjectFailure(status: .notSupported)
        }
        return []
    }

    init(_ dialect: SessionRequest.Dialect = .standard) {
        self.dialect = dialect
        channel = RawChannel(technology: dialect == .rcs300 ? .felica212 : .typeA106)
    }

    /// Ends the session, as a reset of the reader does.
    mutating func close() {
        self = TransparentSession(dialect)
    }

    func checkOpen() throws(ObjectFailure) {
        guard isOpen else { throw ObjectFailure(status: .noDiagnosis) }
    }

    private func checkEmpty(_ object: SessionObject) throws(ObjectFailure) {
        guard object.value.isEmpty else { throw ObjectFailure(status: .wrongLength) }
    }

    func timer(_ object: SessionObject) throws(ObjectFailure) -> Duration {
        guard let microseconds = object.microseconds else { throw ObjectFailure(status: .wrongLength) }
        return .microseconds(Int64(microseconds))
    }
}

extension TransparentSession {
    /// Carries out an object.
    ///
    /// An answer with fewer than eight bits fails the CRC check, if enabled, but is still returned, as by readers with an NXP
    /// front end.
    mutating func exchange(_ object: SessionObject, in world: inout World) throws(ObjectFailure) -> [SessionObject] {
        try checkOpen()
        switch object.tag {
        case .flags: try setFlags(object)
        case .transmittedBits: channel.lastBits = try bits(object)
        case .receivedBits: _ = try bits(object)
        case .timer: waiting = try timer(object)
        case .transmit:
            received = try send(object, in: &world)
        case .receive:
            guard let reception = received else { throw ObjectFailure(status: .noCardAnswer) }
            received = nil
            return Self.objects(of: reception)
        case .transceive:
            guard let reception = try send(object, in: &world) else { throw ObjectFailure(status: .noCardAnswer) }
            return Self.objects(of: reception)
        default: throw ObjectFailure(status: .notSupported)
        }
        return []
    }

    private func send(_ object: SessionObject, in world: inout World) throws(ObjectFailure) -> RawChannel.Reception? {
        guard !object.value.isEmpty, object.value.count <= CardLine.maximumLength else {
            throw ObjectFailure(status: .wrongLength)
        }
        // Without a field, nothing is sent.
        guard world.isFieldOn else { return nil }
        return channel.exchange(object.value, in: &world, waiting: waiting ?? ReaderWait.command)
    }

    private static func objects(of reception: RawChannel.Reception) -> [SessionObject] {
        let status: ReceptionStatus =
            switch reception.integrity {
            case .good: []
            case .badCRC: .badCRC
            case .badParity: .badParity
            }
        return [
            .receivedBits(reception.lastBits), .receptionStatus(status), .received(reception.bytes),
        ]
    }

    private mutating func setFlags(_ object: SessionObject) throws(ObjectFailure) {
        guard let flags = object.transmissionFlags else { throw ObjectFailure(status: .wrongLength) }
        channel.appendsCRC = !flags.contains(.withoutSentCRC)
        channel.checksCRC = !flags.contains(.keepReceivedCRC)
        channel.hasParity = !flags.contains(.withoutSentParity) && !flags.contains(.withoutReceivedParity)
    }

    private func bits(_ object: SessionObject) throws(ObjectFailure) -> UInt8 {
        guard object.value.count == 1 else { throw ObjectFailure(status: .wrongLength) }
        guard object.value[0] < 8 else { throw ObjectFailure(status: .wrongData) }
        return object.value[0]
    }
}

extension TransparentSession {
    /// Switches to another technology; for type A at layer 3 and above, a card is selected.
    ///
    /// FeliCa has no selection: frames are sent unchanged, and the host polls itself.
    mutating func switchProtocol(
        _ object: SessionObject, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        if dialect == .standard { try checkOpen() }
        // The RC-S300 receives parameters of layer 4 along with the protocol.
        if object.tag == .setParameters {
            try setParameters(object)
            return []
        }
        guard object.tag == .switchProtocol else { throw ObjectFailure(status: .notSupported) }
        guard let target = object.targetProtocol else { throw ObjectFailure(status: .wrongLength) }
        switch target.standard {
        case .felica:
            channel = RawChannel(technology: target.rateNumber == 2 ? .felica424 : .felica212)
            return []
        case .typeA:
            channel = RawChannel()
            return try selectTypeA(target.layerNumber, in: &world)
        case .typeB, .vicinity: throw ObjectFailure(status: .noCardAnswer)
        default: throw ObjectFailure(status: .wrongData)
        }
    }

    private func selectTypeA(_ layer: UInt8, in world: inout World) throws(ObjectFailure) -> [SessionObject] {
        if layer == SessionProtocol.Layer.frames {
            world.switchField(on: false)
            world.switchField(on: true)
            return []
        }
        guard let card = world.findTypeA(.wupa), case .typeA(let tag) = card.tag else {
            throw ObjectFailure(status: .noCardAnswer)
        }
        switch layer {
        case SessionProtocol.Layer.selection: return [SessionObject(.switchProtocol, [tag.sak.rawValue])]
        case SessionProtocol.Layer.highest: return [.atr(ContactlessATR(card.storageCard).bytes)]
        // No emulated card supports ISO/IEC 14443-4.
        case SessionProtocol.Layer.blocks: throw ObjectFailure(status: .noCardAnswer)
        default: throw ObjectFailure(status: .wrongData)
        }
    }
}

extension TransparentSession {
    /// The parameters with their initial values: frame sizes, waiting time, bit rates, modulation index, PCB and CID, one
    /// byte each.
    ///
    /// Source: PC/SC part 3, supplement for contactless cards, "get parameters".
    private static let defaults: [UInt8: [UInt8]] = [
        0x01: [0x08], 0x02: [0x08], 0x03: [0x04], 0x04: [0x02], 0x05: [0x00], 0x06: [0x00], 0x07: [0x0A],
        0x08: [0x00],
    ]

    /// Returns the values of the parameters that an object requests.
    func parameters(askedBy object: SessionObject) throws(ObjectFailure) -> SessionObject {
        var values: [UInt8] = []
        for parameter in try Self.list(object) {
            guard let number = UInt8(exactly: parameter.tag.rawValue),
                let value = parameters[number] ?? Self.defaults[number]
            else { throw ObjectFailure(status: .notSupported) }
            values += SessionObject(parameter.tag, value).bytes
        }
        return SessionObject(.getParameters, values)
    }

    /// Stores the values of an object; none of them affects RF.
    mutating func setParameters(_ object: SessionObject) throws(ObjectFailure) {
        for parameter in try Self.list(object) {
            guard let number = UInt8(exactly: parameter.tag.rawValue), Self.defaults[number] != nil
            else { throw ObjectFailure(status: .notSupported) }
            guard parameter.value.count == 1 else { throw ObjectFailure(status: .wrongLength) }
            parameters[number] = parameter.value
        }
    }

    private static func list(_ object: SessionObject) throws(ObjectFailure) -> [SessionObject] {
        let (objects, broken) = SessionObject.list(object.value)
        guard broken.isEmpty, 1...maximumObjects ~= objects.count else { throw ObjectFailure(status: .wrongLength) }
        return objects
    }
}

/// The chip's settings for sending and receiving frames that the host builds itself.
///
/// The host's bytes are sent unchanged, so that the card also sees a missing or extra CRC.
struct RawChannel: Sendable {
    var technology = Technology.typeA106
    /// A Boolean value that indicates whether the chip appends a CRC.
    var appendsCRC = true
    /// A Boolean value that indicates whether the chip checks and removes the CRC of answers.
    var checksCRC = true
    /// A Boolean value that indicates whether parity bits are sent and checked, if the technology has them.
    var hasParity = true
    /// The number of bits of the last byte to send; 0 means all.
    var lastBits: UInt8 = 0

    struct Reception: Hashable, Sendable {
        /// The bytes as passed to the host.
        var bytes: [UInt8]
        /// The number of valid bits in the last byte; 0 means all.
        var lastBits: UInt8
        var integrity: FrameIntegrity

        /// A Boolean value that indicates whether this is a four-bit refusal of a Type 2 tag.
        var isNAK: Bool {
            Int(lastBits) == Acknowledgement.bitCount && bytes.count == 1 && !Acknowledgement(bytes[0]).isAck
        }
    }

    func exchange(_ bytes: [UInt8], in world: inout World, waiting: Duration?) -> Reception? {
        guard !bytes.isEmpty, bytes.count <= CardLine.maximumLength else { return nil }
        let command = technology.isFeliCa ? feliCaCommand(bytes) : typeACommand(bytes)
        guard let answer = world.exchangeWithOneCard(command, waiting: waiting) else { return nil }
        return technology.isFeliCa ? feliCaReception(answer) : typeAReception(answer, to: command)
    }

    private func feliCaCommand(_ bytes: [UInt8]) -> RFFrame {
        guard !appendsCRC else { return RFFrame(technology, bytes) }
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        return RFFrame(technology, packet, integrity: integrity)
    }

    private func feliCaReception(_ answer: RFFrame) -> Reception {
        guard !checksCRC else { return Reception(bytes: answer.bytes, lastBits: 0, integrity: answer.integrity) }
        var bytes = CRC16FeliCa.appending(to: answer.bytes)
        if answer.integrity == .badCRC { bytes[bytes.count - 1] ^= 0xFF }
        return Reception(bytes: bytes, lastBits: 0, integrity: .good)
    }

    private func typeACommand(_ bytes: [UInt8]) -> RFFrame {
        let unused = lastBits == 0 ? 0 : 8 - Int(lastBits & 7)
        let crc = appendsCRC ? CRCA.wireBytes(of: CRCA.checksum(of: bytes)) : []
        var frame = TypeAFraming.command(rfBytes: bytes + crc, bitCount: (bytes.count + crc.count) * 8 - unused)
        if !hasParity { frame.integrity = .badParity }
        return frame
    }

    private func typeAReception(_ answer: RFFrame, to command: RFFrame) -> Reception {
        let lastBits = UInt8(answer.bitCount % 8)
        let rfBytes = TypeAFraming.rfBytes(answer: answer, to: command)
        guard checksCRC else {
            let integrity = answer.integrity == .badParity && hasParity ? FrameIntegrity.badParity : .good
            return Reception(bytes: rfBytes, lastBits: lastBits, integrity: integrity)
        }
        // An answer without a CRC fails the check.
        let hasCRC = rfBytes.count > answer.bytes.count
        let integrity = answer.integrity == .good && !hasCRC ? FrameIntegrity.badCRC : answer.integrity
        return Reception(bytes: answer.bytes, lastBits: lastBits, integrity: integrity)
    }
}
