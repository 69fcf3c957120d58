import TapDoors
import TapField

/// What faults do to sessions and calls.
extension PhoneWork {
    /// Tells the field of an event of the session that is open, and ends the session where a fault has it so.
    ///
    /// - Returns: Whether the session goes on.
    @discardableResult
    mutating func follow(_ event: PhoneEvent) -> Bool {
        guard open != nil else { return false }
        guard let fault = host.perform({ $0.faults(at: event) }).first(where: \.endsSession) else { return true }
        end(PhoneError(fault, in: event))
        return false
    }

    /// Carries out a fault that strikes a call, and gives the error that the call has.
    mutating func fail(by fault: PhoneFault, in event: PhoneEvent) -> PhoneError {
        let error = PhoneError(fault, in: event)
        guard fault.endsSession else { return error }
        pendingEnd = error
        return PhoneError(.sessionInvalidated, reason: "the session ended in the middle of the call: \(error)")
    }
}

extension World {
    /// Tells the plan of an event, and takes what strikes at it.
    mutating func faults(at event: PhoneEvent) -> [PhoneFault] {
        happened(event)
        return takePhoneFaults()
    }
}

extension PhoneError {
    /// What the app hears of a fault.
    init(_ fault: PhoneFault, in event: PhoneEvent) {
        let code = fault.code(in: event)
        if case .stackError = fault {
            self.init(code, text: "Stack Error", underlying: .connectionClosed)
        } else {
            self.init(code)
        }
    }
}
