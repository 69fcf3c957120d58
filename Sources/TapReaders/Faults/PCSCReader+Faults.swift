import TapField
import TapWire

extension PCSCReader {
    /// Sends an APDU to the slot, and lets the faults that strike meanwhile change what the host gets.
    public mutating func carry(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        let before = world.airCount
        var answer = transmit(command, in: &world)
        if world.isDisturbed { answer = answer.disturbed(in: &world) }
        world.noteHost(
            since: before, hasRead: answer.isCardData(for: command), HostCall(.apdu, command, answer.outcome))
        return answer
    }

    /// Sends a command to the reader itself, and lets the faults that strike meanwhile change what the host gets.
    public mutating func carry(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        let before = world.airCount
        var answer = control(code, data, in: &world)
        if world.isDisturbed { answer = answer.disturbed(in: &world) }
        world.noteHost(
            since: before, hasRead: answer.isCardData(for: data), HostCall(.control(code), data, answer.outcome))
        return answer
    }
}

extension ReaderAnswer {
    /// What the host got, for the trace.
    fileprivate var outcome: HostCall.Outcome {
        switch self {
        case .answer(let bytes): .answer(bytes)
        case .unsupported: .unsupported
        case .noCard: .noCard
        case .failed: .failed
        }
    }

    /// Whether it tells something of the card without a frame: readers know what get data asks for since they found it.
    fileprivate func isCardData(for command: [UInt8]) -> Bool {
        guard case .answer(let bytes) = self, (try? CommandAPDU(parsing: command))?.ins == .getData,
            let response = try? ResponseAPDU(parsing: bytes)
        else { return false }
        return !response.data.isEmpty
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
