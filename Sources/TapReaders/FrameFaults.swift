import TapField
import TapWire

/// Faults that change the next answer on the wire between a chip and its host.
struct FrameFaults: Sendable {
    private var faults: [ReaderFault] = []

    /// Adds the faults injected while a command was carried out.
    mutating func take(from world: inout World) { faults += world.takeReaderFaults(ofChip: false) }

    /// Returns the frame of an answer with the faults applied.
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
