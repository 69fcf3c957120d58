import TapField
import TapWire

/// A PN532: host commands in, frames in the field, answers out.
///
/// A value, independent of the wire to its host. Commands for technologies other than type A and FeliCa are answered as in an
/// empty field. Source: NXP, PN532 user manual UM0701-02.
public struct PN532: Sendable {
    var registers = PN532Registers()
    /// The targets that were found and not released, at most two.
    var targets: [Target] = []
    /// The index of the target that answers: the selected type A card, or a FeliCa card, which needs no selection.
    var selected: Int?
    /// The number of repetitions of a search for passive targets; FF means endless.
    var passiveRetries: UInt8
    /// The time a command waits for its answer.
    var patience: Duration? = Self.patience(code: 0x0A)
    var lastError = PN532Status.ok
    /// The SAM status reported by GetGeneralStatus.
    private let samStatus: UInt8
    private let variant: Variant

    /// A chip of the family, for answers that differ between chips.
    ///
    /// Source: nfcpy, drivers `pn532`, `pn533` and `rcs956`.
    package enum Variant: Hashable, Sendable {
        case pn532
        case pn533
        case rcs956
    }

    /// A target and the number that identifies it in commands.
    struct Target: Sendable {
        let number: UInt8
        let card: FoundCard
    }

    /// Creates a chip in its state after power-up.
    ///
    /// - Parameters:
    ///   - passiveRetries: The default number of repetitions of a search; on a bare chip FF, which means endless.
    ///   - samStatus: The status of its SAM; 00 means none.
    public init(passiveRetries: UInt8 = .max, samStatus: UInt8 = 0) {
        self.init(.pn532, passiveRetries: passiveRetries, samStatus: samStatus)
    }

    package init(_ variant: Variant, passiveRetries: UInt8 = .max, samStatus: UInt8 = 0) {
        self.variant = variant
        self.passiveRetries = passiveRetries
        self.samStatus = samStatus
    }

    /// Carries out a command from the chip's own host, and records it in the trace.
    ///
    /// - Returns: The answer; `nil` while the chip waits.
    package mutating func carry(_ command: PN532Packet.Command, in world: inout World) -> PN532Packet.Answer? {
        let before = world.rfCount
        let answer = answer(command, in: &world)
        world.noteHost(since: before, HostCall(.pn532, command.bytes, answer.map { .answer($0.bytes) } ?? .waiting))
        return answer
    }

    /// Carries out a command.
    ///
    /// - Returns: The answer; `nil` while the chip waits, either for a card without a limit or, as a target, for a reader.
    package mutating func answer(_ command: PN532Packet.Command, in world: inout World) -> PN532Packet.Answer? {
        // The maximum size of a frame on the host interface.
        guard command.data.count <= PN532Packet.maximumData else { return .syntaxError }
        do throws(WireError) {
            guard let data = try data(for: command, in: &world) else { return nil }
            return .data(to: command.code, data)
        } catch {
            return .syntaxError
        }
    }

    /// - Throws: ``WireError`` if the command is unknown or its layout is wrong.
    private mutating func data(for command: PN532Packet.Command, in world: inout World) throws(WireError) -> [UInt8]? {
        let data = command.data
        switch command.code {
        case .diagnose: return try diagnose(data, in: world)
        case .getFirmwareVersion: return variant.firmware.data
        case .getGeneralStatus: return generalStatus
        case .readRegister: return try read(ReadRegister.Request(data: data), in: world)
        case .writeRegister: return try write(WriteRegister.Request(data: data), in: &world)
        case .readGPIO: return Self.pins
        case .writeGPIO, .setSerialBaudRate, .setParameters, .samConfiguration: return try Self.setUp(data)
        case .resetMode where variant == .rcs956: return try Self.setUp(data)
        case .powerDown: return powerDown(in: &world)
        case .rfConfiguration: return try configure(RFConfiguration.Request(data: data), in: &world)
        case .inListPassiveTarget: return try list(InListPassiveTarget.Request(data: data), in: &world)?.data
        case .inAutoPoll: return try poll(InAutoPoll.Request(data: data), in: &world)?.data
        case .inDataExchange: return exchange(try InDataExchange.Request(data: data), in: &world).data
        case .inCommunicateThru: return communicate(data, in: &world).data
        case .communicateThruEx where variant == .rcs956: return try communicateEx(data, in: &world)
        case .inDeselect: return deselect(try InDeselect.Request(data: data).target, in: &world)
        case .inRelease: return release(try InRelease.Request(data: data).target, in: &world)
        case .inSelect: return select(try InSelect.Request(data: data).target, in: &world)
        // No emulated card supports ISO/IEC 18092.
        case .inATR, .inJumpForDEP, .inJumpForPSL: return [PN532Status.timeout.rawValue]
        case .inPSL: return [PN532Status.wrongContext.rawValue]
        case .tgInitAsTarget, .rfRegulationTest: return nil
        default: throw WireError(.wrongCode, at: 1, in: "PN532 command", "\(command.code) is unknown")
        }
    }

    /// P3, P7 and I0I1 with nothing connected.
    private static let pins: [UInt8] = [0x3F, 0x06, 0x00]

    /// Checks a setup command without effect on RF: it needs some data and gets an empty answer.
    private static func setUp(_ data: [UInt8]) throws(WireError) -> [UInt8] {
        guard !data.isEmpty else { throw WireError(.truncated, at: 2, in: "set-up") }
        return []
    }

    /// Records a status as the last error, unless it is OK.
    mutating func noting(_ status: PN532Status) -> PN532Status {
        if !status.isOK { lastError = status }
        return status
    }

    /// The last error, no external field, the targets with their bit rates and modulation, and the SAM status.
    private var generalStatus: [UInt8] {
        let entries = targets.flatMap { target -> [UInt8] in
            switch target.card.technology {
            case .typeA106: [target.number, 0, 0, 0x00]
            case .felica212: [target.number, 1, 1, 0x10]
            case .felica424: [target.number, 2, 2, 0x10]
            }
        }
        return [lastError.rawValue, 0, UInt8(targets.count)] + entries + [samStatus]
    }
}

extension PN532 {
    /// The timeouts encoded by RFConfiguration: 100 µs, doubled with every step; 0 means no limit.
    ///
    /// Source: NXP, PN532 user manual UM0701-02, "RFConfiguration", item 02.
    static func patience(code: UInt8) -> Duration? {
        code == 0 ? nil : .microseconds(100 << (Int(min(code, 0x10)) - 1))
    }

    func read(_ request: ReadRegister.Request, in world: World) -> [UInt8] {
        let values = request.registers.map { registers.read($0, in: world) }
        return variant == .pn533 ? [PN532Status.ok.rawValue] + values : values
    }

    mutating func write(_ request: WriteRegister.Request, in world: inout World) -> [UInt8] {
        for entry in request.entries { registers.write(entry.value, to: entry.register, in: &world) }
        switch variant {
        case .pn532: return []
        case .pn533: return [PN532Status.ok.rawValue]
        case .rcs956: return request.entries.map { _ in PN532Status.ok.rawValue }
        }
    }

    mutating func configure(_ request: RFConfiguration.Request, in world: inout World) -> [UInt8] {
        switch request {
        case .field(let value):
            world.switchField(on: value & 1 != 0)
            if value & 1 == 0 { losePower() }
        case .searchRetries(_, _, let passive): passiveRetries = passive
        // Times: reserved, for ATR_RES, for InCommunicateThru and exchanges without ISO/IEC 14443-4.
        case .other(item: 0x02, let times) where times.count == 3: patience = Self.patience(code: times[2])
        case .other: break
        }
        return []
    }

    mutating func powerDown(in world: inout World) -> [UInt8] {
        world.switchField(on: false)
        losePower()
        return [PN532Status.ok.rawValue]
    }

    /// Deselects a type A card.
    private mutating func losePower() {
        if let index = selected, !targets[index].card.technology.isFeliCa { selected = nil }
    }

    /// Carries out a test: the line test echoes its data, the presence test looks for the first target in the field.
    func diagnose(_ data: [UInt8], in world: World) throws(WireError) -> [UInt8]? {
        guard let test = data.first else { throw WireError(.truncated, at: 2, in: "test number") }
        switch test {
        case 0x00: return variant == .rcs956 ? Array(data.dropFirst()) : data
        case 0x01, 0x02, 0x07: return [0x00]
        // Polling test: the number of polls, out of 128, at 212 or 424 kbit/s that no peer answered.
        case 0x04: return [0x80]
        // Echo back: the chip does not answer until it is reset.
        case 0x05: return nil
        case 0x06:
            guard let target = targets.first else { return [PN532Status.wrongContext.rawValue] }
            return [world.isFieldOn && target.card.isPresent(in: world) ? 0x00 : 0x01]
        default: throw WireError(.wrongValue, at: 2, in: "test number")
        }
    }
}

extension PN532.Variant {
    /// The answer to GetFirmwareVersion.
    fileprivate var firmware: GetFirmwareVersion.Response {
        switch self {
        case .pn532: .pn532
        case .pn533: GetFirmwareVersion.Response(ic: 0x33, version: 2, revision: 7, support: 7)
        case .rcs956: GetFirmwareVersion.Response(ic: 0x33, version: 1, revision: 0x30, support: 7)
        }
    }
}

/// The registers of a PN532 that clients use; every other register reads back the value written.
///
/// Source: NXP, PN532 user manual UM0701-02, "list of SFR and XRAM registers".
struct PN532Registers: Sendable {
    private var values: [PN532Register: UInt8] = [.txMode: 0x80, .rxMode: 0x80, .txAuto: 0x40, .control: 0x10]

    /// The bits of TxControl that switch the antenna, and the reset value of the other bits.
    private static let antenna: UInt8 = 0x03
    private static let txControlReset: UInt8 = 0x80
    private static let crcOn: UInt8 = 0x80

    subscript(register: PN532Register) -> UInt8 {
        get { values[register] ?? 0 }
        set { values[register] = newValue }
    }

    func read(_ register: PN532Register, in world: World) -> UInt8 {
        guard register == .txControl else { return self[register] }
        return (values[register] ?? Self.txControlReset) & ~Self.antenna | (world.isFieldOn ? Self.antenna : 0)
    }

    /// Writes a register; TxControl switches the field.
    mutating func write(_ value: UInt8, to register: PN532Register, in world: inout World) {
        self[register] = value
        if register == .txControl { world.switchField(on: value & Self.antenna != 0) }
    }

    /// Sets bit rate and framing as after a search for targets.
    mutating func setModes(for technology: Technology) {
        switch technology {
        case .typeA106: (self[.txMode], self[.rxMode]) = (0x80, 0x80)
        case .felica212: (self[.txMode], self[.rxMode]) = (0x92, 0x9A)
        case .felica424: (self[.txMode], self[.rxMode]) = (0xA2, 0xAA)
        }
    }

    /// Leaves a REQA in the FIFO after a search without a type A card; clients use this to detect whether a card answered.
    mutating func noteTypeASearch(hasFound: Bool) {
        self[.fifoData] = hasFound ? 0 : ShortFrame.reqa.rawValue
    }

    /// Stores the number of valid bits in the last byte received.
    mutating func noteLastBits(_ count: UInt8) {
        self[.control] = self[.control] & ~0x07 | count & 0x07
    }

    /// The settings for sending and receiving frames; `nil` for the framing or bit rate of other technologies.
    var channel: RawChannel? {
        guard let technology, technology == rxTechnology else { return nil }
        return RawChannel(
            technology: technology, appendsCRC: self[.txMode] & Self.crcOn != 0,
            checksCRC: self[.rxMode] & Self.crcOn != 0, hasParity: self[.manualRCV] & 0x10 == 0,
            lastBits: self[.bitFraming] & 0x07)
    }

    private var technology: Technology? { Self.technology(mode: self[.txMode]) }
    private var rxTechnology: Technology? { Self.technology(mode: self[.rxMode]) }

    /// Framing in bits 1 and 0, bit rate in bits 6 to 4.
    private static func technology(mode: UInt8) -> Technology? {
        switch (mode & 0x03, mode >> 4 & 0x07) {
        case (0, 0): .typeA106
        case (2, 1): .felica212
        case (2, 2): .felica424
        default: nil
        }
    }
}
