import TapField
import TapWire

/// A PN532: host commands in, frames in the field, answers out.
///
/// A value that knows nothing of the line to its host, so that any door or reader can have one. What has no place in a
/// field of type A and FeliCa cards is answered as if nothing were there. Source: NXP, PN532 user manual UM0701-02.
public struct PN532: Sendable {
    /// The registers.
    var registers = PN532Registers()
    /// The targets found and not released, at most two.
    var targets: [Target] = []
    /// The index of the type A target that is selected.
    var selected: Int?
    /// How often a search for passive targets is repeated; FF is for ever.
    var passiveRetries: UInt8
    /// How long a command waits for its answer.
    var patience: Duration? = Self.patience(code: 0x0A)
    /// The last error, for GetGeneralStatus.
    var lastError = PN532Status.ok
    /// What GetGeneralStatus says of the SAM.
    private let samStatus: UInt8

    /// A target and the number by which commands name it.
    struct Target: Sendable {
        let number: UInt8
        let card: FoundCard
    }

    /// Creates a chip as it is after power-up.
    ///
    /// - Parameters:
    ///   - passiveRetries: How often a search is repeated until the host says otherwise; FF, for ever, on a bare chip.
    ///   - samStatus: What it says of its SAM; 00 is none.
    public init(passiveRetries: UInt8 = .max, samStatus: UInt8 = 0) {
        self.passiveRetries = passiveRetries
        self.samStatus = samStatus
    }

    /// Carries a command of a host of its own out, and takes note of it.
    ///
    /// - Returns: The answer, or nothing while the chip waits.
    public mutating func carry(_ command: PN532Packet.Command, in world: inout World) -> PN532Packet.Answer? {
        let before = world.airCount
        let answer = answer(command, in: &world)
        world.noteHost(
            since: before, HostCall(.pn532, command.bytes, answer.map { .answer($0.bytes) } ?? .waiting))
        return answer
    }

    /// Carries a command out.
    ///
    /// - Returns: The answer, or nothing while the chip waits: for a card, without end, or for a reader as a target.
    public mutating func answer(_ command: PN532Packet.Command, in world: inout World) -> PN532Packet.Answer? {
        // A frame of the host line has room for no more.
        guard command.data.count <= PN532Packet.maximumData else { return .syntaxError }
        do throws(WireError) {
            guard let data = try data(for: command, in: &world) else { return nil }
            return .data(to: command.code, data)
        } catch {
            return .syntaxError
        }
    }

    /// The data of the answer.
    ///
    /// - Throws: ``WireError`` if the command is not known or its layout is another.
    private mutating func data(
        for command: PN532Packet.Command, in world: inout World
    ) throws(WireError) -> [UInt8]? {
        let data = command.data
        switch command.code {
        case .diagnose: return try diagnose(data, in: world)
        case .getFirmwareVersion: return GetFirmwareVersion.Response.pn532.data
        case .getGeneralStatus: return generalStatus
        case .readRegister: return try ReadRegister.Request(data: data).registers.map { registers.read($0, in: world) }
        case .writeRegister: return try write(WriteRegister.Request(data: data), in: &world)
        case .readGPIO: return Self.pins
        case .writeGPIO, .setSerialBaudRate, .setParameters, .samConfiguration: return try Self.setUp(data)
        case .powerDown: return powerDown(in: &world)
        case .rfConfiguration: return try configure(RFConfiguration.Request(data: data), in: &world)
        case .inListPassiveTarget: return try list(InListPassiveTarget.Request(data: data), in: &world)?.data
        case .inAutoPoll: return try poll(InAutoPoll.Request(data: data), in: &world)?.data
        case .inDataExchange: return exchange(try InDataExchange.Request(data: data), in: &world).data
        case .inCommunicateThru: return communicate(data, in: &world).data
        case .inDeselect: return deselect(try InDeselect.Request(data: data).target, in: &world)
        case .inRelease: return release(try InRelease.Request(data: data).target, in: &world)
        case .inSelect: return select(try InSelect.Request(data: data).target, in: &world)
        // No card here speaks ISO/IEC 18092.
        case .inATR, .inJumpForDEP, .inJumpForPSL: return [PN532Status.timeout.rawValue]
        case .inPSL: return [PN532Status.wrongContext.rawValue]
        case .tgInitAsTarget, .rfRegulationTest: return nil
        default: throw WireError(.wrongCode, at: 1, in: "PN532 command", "\(command.code) is not known")
        }
    }

    /// P3, P7 and I0I1 with nothing connected.
    private static let pins: [UInt8] = [0x3F, 0x06, 0x00]

    /// Commands that set up what has no effect on air: they need some data and are answered without.
    private static func setUp(_ data: [UInt8]) throws(WireError) -> [UInt8] {
        guard !data.isEmpty else { throw WireError(.truncated, at: 2, in: "set-up") }
        return []
    }

    /// Remembers a status and gives it.
    mutating func noting(_ status: PN532Status) -> PN532Status {
        if !status.isOK { lastError = status }
        return status
    }

    /// The last error, no field of others, the targets with their bit rates and modulation, the SAM.
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
