import TapField
import TapWire

/// Faults that change the next answer on the line between a chip and its host.
struct FrameFaults: Sendable {
    private var faults: [ReaderFault] = []

    /// Takes what was injected while a command was carried out.
    mutating func take(from world: inout World) { faults += world.takeReaderFaults(ofChip: false) }

    /// The frame of an answer as it is sent.
    mutating func changed(_ frame: [UInt8]) -> [UInt8] {
        defer { faults = [] }
        var frame = frame
        for case .otherBytes(let edit, let isFixed) in faults {
            edit.apply(to: &frame)
            if isFixed { PN532Frame.fixSums(of: &frame) }
        }
        return frame
    }
}
