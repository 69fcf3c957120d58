import TapDoors
import TapField
import TapWire

/// How calls of an app reach a tag.
extension PhoneWork {
    mutating func connect(to tag: PhoneTag, of session: any PhoneSession) -> Result<Bool, PhoneError> {
        call(session, as: .connected) { reader, world throws(PhoneError) in
            try reader.connect(to: tag, in: &world)
            return true
        }
    }

    mutating func perform<Value: Sendable>(
        for session: (any PhoneSession)?, as event: PhoneEvent,
        _ body: (inout PhoneReader, inout World) throws(PhoneError) -> Value
    ) -> Result<Value, PhoneError> {
        let number = open?.number
        var commands: [String] = []
        let result = call(session, as: event) { reader, world throws(PhoneError) in
            let first = world.trace.events.count
            defer {
                commands =
                    event == .command
                    ? world.trace.events.dropFirst(first).compactMap(\.commandName) : ["phone.\(event.rawValue)"]
            }
            return try body(&reader, &world)
        }
        if let number, !commands.isEmpty { record(number) { $0.commands += commands } }
        return result
    }

    /// Lets the reader do something for the session that is open; a fault may let it fail or end the session.
    private mutating func call<Value: Sendable>(
        _ session: (any PhoneSession)?, as event: PhoneEvent,
        _ body: (inout PhoneReader, inout World) throws(PhoneError) -> Value
    ) -> Result<Value, PhoneError> {
        guard isOpen(session) else {
            return .failure(
                PhoneError(
                    .sessionInvalidated, reason: "the session of the tag has ended, so that no command reaches it"))
        }
        defer { publish() }
        // A call can be struck before it reaches the tag, and at its frames; connecting once the tag has answered.
        let isConnecting = event == .connected
        let (result, fault) = host.perform { world -> (Result<Value, PhoneError>?, PhoneFault?) in
            if !isConnecting, let fault = world.faults(at: event).first { return (nil, fault) }
            let result = Self.result(of: body, &reader, &world)
            if isConnecting, case .success = result { world.happened(event) }
            let fault = world.takePhoneFaults().first
            if isConnecting, fault != nil { reader.disconnect(in: &world) }
            return (result, fault)
        }
        guard let fault else { return result ?? .failure(PhoneError(.tagResponseError)) }
        return .failure(fail(by: fault, in: event))
    }

    private static func result<Value>(
        of body: (inout PhoneReader, inout World) throws(PhoneError) -> Value, _ reader: inout PhoneReader,
        _ world: inout World
    ) -> Result<Value, PhoneError> {
        do throws(PhoneError) {
            return .success(try body(&reader, &world))
        } catch {
            return .failure(error)
        }
    }
}

extension TraceEvent {
    /// The name of the command that the event is, or its bytes where it has none; nothing for another event.
    fileprivate var commandName: String? {
        guard case .command(let frame) = kind else { return nil }
        return CommandFacts(frame).name?.rawValue ?? Hex.text(frame.bytes)
    }
}
