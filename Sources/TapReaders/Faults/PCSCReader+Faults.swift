import TapField
import TapWire

extension PCSCReader {
    /// Sends an APDU to the slot, and lets the faults that strike meanwhile change what the host gets.
    public mutating func carry(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        let answer = transmit(command, in: &world)
        return world.isDisturbed ? answer.disturbed(in: &world) : answer
    }

    /// Sends a command to the reader itself, and lets the faults that strike meanwhile change what the host gets.
    public mutating func carry(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        let answer = control(code, data, in: &world)
        return world.isDisturbed ? answer.disturbed(in: &world) : answer
    }
}

extension ReaderAnswer {
    /// What the host gets of an answer with the faults that strike it.
    fileprivate func disturbed(in world: inout World) -> ReaderAnswer {
        let previous = world.previousReaderAnswer
        if case .answer(let bytes) = self { world.previousReaderAnswer = bytes }
        return world.takeReaderFaults(ofChip: false).reduce(self) { $0.struck(by: $1, previous) }
    }

    private func struck(by fault: ReaderFault, _ previous: [UInt8]?) -> ReaderAnswer {
        switch fault {
        case .noCard: return .noCard
        case .failed, .chipStatus: return .failed
        case .statusWord(let word): return .answer(word.bytes)
        case .previousAnswer: return previous.map { .answer($0) } ?? self
        case .noStatusWord: return changed { data, _ in data }
        case .noData: return changed { _, status in status }
        case .cutData(let count): return changed { data, status in data.dropLast(count) + status }
        case .extraData(let bytes): return changed { data, status in data + bytes + status }
        }
    }

    /// The answer with its data and its status word put together anew.
    private func changed(_ body: (_ data: [UInt8], _ status: [UInt8]) -> [UInt8]) -> ReaderAnswer {
        guard case .answer(let bytes) = self, bytes.count >= StatusWord.length else { return self }
        return .answer(body(bytes.dropLast(StatusWord.length), Array(bytes.suffix(StatusWord.length))))
    }
}
