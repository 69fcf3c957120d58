import TapReaders
import TapWire

extension ResourceManager {
    /// Says whether a connection is as its client knows it; the client takes the rest from the reader states.
    mutating func status(_ message: CardMessage) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            try reader(of: message.card).reader.checkSharing(message.card)
            try checkEvent(message.card)
            answer.result = .success
        } catch {
            answer.result = error.code
        }
        return .answer(answer.bytes)
    }

    /// Sends a command to the card.
    mutating func transmit(_ message: TransmitMessage, _ command: [UInt8]) -> ServiceStep {
        var answer = message
        answer.receiveLength = 0
        do throws(Refusal) {
            let (id, reader) = try reader(of: message.card)
            try reader.checkSharing(message.card)
            try checkEvent(message.card)
            if message.sendProtocol != .raw {
                guard !reader.state.flags.contains(.absent) else { throw Refusal(.noSmartCard) }
                guard [.anyAsOfOld, reader.activeProtocol].contains(message.sendProtocol) else {
                    misuse("SCardTransmit", "with another protocol than the one the card is connected by")
                    throw Refusal(.protocolMismatch)
                }
            }
            return .transmit(id, command, changes: reader.changes) { manager, result in
                manager.finishTransmitting(message, result)
            }
        } catch {
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishTransmitting(_ message: TransmitMessage, _ result: ReaderAnswer) -> ServiceStep {
        var answer = message
        var data: [UInt8] = []
        answer.receiveLength = 0
        switch result {
        case .answer(let bytes):
            answer.receiveLength = UInt32(bytes.count)
            let fits = answer.receiveLength <= message.receiveLength
            answer.result = fits ? .success : .insufficientBuffer
            if fits { data = bytes }
            idling.take(answer: bytes)
        case .noCard:
            // Its going is known by now, unless the connection is to the reader itself.
            do throws(Refusal) {
                try checkEvent(message.card)
                answer.result = .noSmartCard
            } catch {
                answer.result = error.code
            }
        case .failed, .unsupported: answer.result = .notTransacted
        }
        return .answer(answer.bytes(followedBy: data))
    }

    /// Sends a command to the reader.
    mutating func control(_ message: ControlMessage, _ data: [UInt8]) -> ServiceStep {
        do throws(Refusal) {
            let (id, reader) = try reader(of: message.card)
            try reader.checkSharing(message.card)
            return .control(id, message.code, data) { manager, result in
                manager.finishControlling(message, result)
            }
        } catch {
            var answer = message
            answer.returnedLength = 0
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishControlling(_ message: ControlMessage, _ result: ReaderAnswer) -> ServiceStep {
        var answer = message
        var data: [UInt8] = []
        answer.returnedLength = 0
        switch result {
        case .answer(let bytes):
            answer.returnedLength = UInt32(bytes.count)
            let fits = answer.returnedLength <= message.receiveLength
            answer.result = fits ? .success : .insufficientBuffer
            if fits { data = bytes }
            idling.take(answer: bytes)
        case .unsupported: answer.result = .unsupportedFeature
        case .noCard, .failed: answer.result = .notTransacted
        }
        return .answer(answer.bytes(followedBy: data))
    }
}
