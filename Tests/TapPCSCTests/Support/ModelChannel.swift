import TapField
import TapPCSC
import TapReaders
import TapWire

/// A channel to a reader model in a world, without a service between.
final class ModelChannel: CardChannel {
    /// The world the reader is in.
    var world: World
    private var reader: any PCSCReader
    private var slot: SlotCard?
    /// Instructions the reader is to know nothing of, as an older one of its kind.
    var unknown: Set<Instruction> = []
    /// Whether the driver takes commands to the reader itself; that of vpcd takes none.
    var hasControl = true
    /// Called before all that is sent, for what happens in between.
    var beforeTransmit: ((ModelChannel, [UInt8]) -> Void)?
    /// What was sent to the card and to the reader, in order.
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
