import TapField
import TapPCSC
import TapReaders
import TapWire

/// A channel to a reader model in a world, without a PC/SC service.
final class ModelChannel: CardChannel {
    /// The world of the reader.
    var world: World
    private var reader: any PCSCReader
    private var slot: SlotCard?
    /// Instructions that the reader does not support, like an older model.
    var unknown: Set<Instruction> = []
    /// A Boolean value that indicates whether the driver accepts commands to the reader itself; vpcd's driver does not.
    var hasControl = true
    /// An action that takes place before every command.
    var beforeTransmit: ((ModelChannel, [UInt8]) -> Void)?
    /// The commands to the card and the reader, in order.
    private(set) var sent: [[UInt8]] = []
    private(set) var isClosed = false

    init(_ reader: any PCSCReader, in world: World) {
        self.reader = reader
        self.world = world
    }

    var readerName: String { reader.name }
    var atr: [UInt8] { slot?.atr ?? [] }
    var hasCard: Bool { slot != nil }

    func awaitCard(timeout: Duration) throws(LinkError) -> Bool {
        if slot == nil, case .card(let card) = reader.look(in: &world) { slot = card }
        return slot != nil
    }

    func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]? {
        beforeTransmit?(self, apdu)
        sent.append(apdu)
        guard let slot, reader.look(in: &world) == .card(slot) else {
            self.slot = nil
            return nil
        }
        if apdu.count > 1, unknown.contains(Instruction(apdu[1])) { return StatusWord.unknownInstruction.bytes }
        return try answer(reader.transmit(apdu, in: &world))
    }

    func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]? {
        guard hasControl else { return nil }
        beforeTransmit?(self, data)
        sent.append(data)
        if data.count > 1, unknown.contains(Instruction(data[1])) { return StatusWord.unknownInstruction.bytes }
        return try answer(reader.control(code.rawValue, data, in: &world))
    }

    private func answer(_ answer: ReaderAnswer) throws(LinkError) -> [UInt8]? {
        switch answer {
        case .answer(let bytes): bytes
        case .unsupported, .noCard, .failed: nil
        }
    }

    func reset() throws(LinkError) -> Bool {
        guard slot != nil, case .card(let card) = reader.reset(in: &world) else { return false }
        slot = card
        return true
    }

    func close() { isClosed = true }
}
