import TapWire

extension ResourceManager {
    /// Tells an attribute: what the service knows of card, name and place, else what the reader says.
    mutating func getAttribute(_ message: AttributeMessage) -> ServiceStep {
        do throws(Refusal) {
            let (id, reader) = try checkedReader(of: message.card)
            switch message.attribute {
            case .atr: return .answer(answer(message, reader.state.atr).bytes)
            case .cardPresence: return .answer(answer(message, [reader.hasCard ? 2 : 0]).bytes)
            case .cardInterfaceStatus:
                return .answer(answer(message, [reader.state.flags.contains(.powered) ? 1 : 0]).bytes)
            case .channelID: return .answer(answer(message, channel(of: reader)).bytes)
            default:
                return .attribute(id, message.attribute) { manager, value in
                    .answer(manager.answer(message, value ?? manager.name(message, reader)).bytes)
                }
            }
        } catch {
            return .answer(refusal(message, error.code).bytes)
        }
    }

    /// Sets an attribute, which no contactless reader can.
    mutating func setAttribute(_ message: AttributeMessage) -> ServiceStep {
        do throws(Refusal) {
            _ = try checkedReader(of: message.card)
            return .answer(refusal(message, .notTransacted).bytes)
        } catch {
            return .answer(refusal(message, error.code).bytes)
        }
    }

    private func checkedReader(of card: Int32) throws(Refusal) -> (id: ReaderID, reader: ManagedReader) {
        let found = try reader(of: card)
        try found.reader.checkSharing(card)
        try checkEvent(card)
        return found
    }

    /// A device of the first USB bus, at an address of its own.
    ///
    /// Source: libccid, `ifdhandler.c`: USB, bus and address, low byte first.
    private func channel(of reader: ManagedReader) -> [UInt8] {
        let (usb, bus): (UInt8, UInt8) = (0x20, 1)
        return [UInt8(truncatingIfNeeded: reader.place + 1), bus, usb, 0]
    }

    private func name(_ message: AttributeMessage, _ reader: ManagedReader) -> [UInt8]? {
        guard [.friendlyName, .systemName].contains(message.attribute) else { return nil }
        return reader.state.name.utf8 + [0]
    }

    private func answer(_ message: AttributeMessage, _ value: [UInt8]?) -> AttributeMessage {
        guard let value else { return refusal(message, .unsupportedFeature) }
        guard value.count <= message.length else {
            var answer = refusal(message, .insufficientBuffer)
            answer.length = UInt32(value.count)
            return answer
        }
        var answer = message
        answer.value = value
        answer.length = UInt32(value.count)
        answer.result = .success
        return answer
    }

    private func refusal(_ message: AttributeMessage, _ code: PCSCReturnCode) -> AttributeMessage {
        var answer = message
        answer.result = code
        return answer
    }
}
