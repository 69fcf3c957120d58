import TapDoors
import TapReport
import TapScenario
import TapServe

/// The socket on which the phone of an app is steered.
final class PhoneSteering: Sendable {
    private let service = Lock<FieldService?>(nil)

    /// Opens the socket: where the launch environment says, unless somebody listens there, else in a folder of its own.
    ///
    /// - Parameters:
    ///   - field: The field before the phone.
    ///   - wanted: The path that the launch environment names.
    ///   - tell: Told where the socket is if nobody knows, and of what went wrong.
    init(_ field: SteeredField, at wanted: String?, _ tell: (String) -> Void) {
        EndingPaths.removeAtExit()
        RequestsUnderWay.answerAtExit()
        if let wanted, !ControlClient.isAnswered(wanted) {
            do {
                try open(field, at: wanted)
                return
            } catch {
                // Another app that was started at the same moment may have come first.
                if !ControlClient.isAnswered(wanted) { tell("\(FieldService.variable): \(error)") }
            }
        }
        do {
            let place = ShellWords.text(["\(FieldService.variable)=\(try open(field, at: nil))"])
            tell(
                "\(field.original.displayName) is before the phone of this app; steer it with: \(place) tapsim ctl status"
            )
        } catch {
            tell("the phone of this app cannot be steered: \(error)")
        }
    }

    /// Opens the socket.
    ///
    /// - Returns: Where it is.
    @discardableResult
    private func open(_ field: SteeredField, at path: String?) throws(SystemError) -> String {
        let service = service
        // Held until the service is kept, so that who asks for its end at once finds it.
        return try service.withLock { kept throws(SystemError) in
            let opened = try FieldService(field, at: path) {
                // The thread of the socket cannot wait for itself.
                _ = try? BlockingThread { Self.close(service) }
            }
            kept = opened
            return opened.path
        }
    }

    /// Closes the socket; the phone and its cards stay.
    func close() {
        Self.close(service)
    }

    private static func close(_ service: Lock<FieldService?>) {
        let opened = service.withLock { service in
            defer { service = nil }
            return service
        }
        opened?.close()
    }
}
