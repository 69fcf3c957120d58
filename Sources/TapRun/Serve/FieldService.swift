import TapDoors
import TapScenario

/// A served field with the socket on which it is steered.
///
/// Each request and each answer is one line of JSON. A request is a map of the ``ControlLanguage``; an answer has `ok`,
/// and either `result` and `text`, or `error`, a sentence.
public final class FieldService: Sendable {
    /// The variable that tells where the socket is.
    public static let variable = "TAPSIM_CTL"

    private let field: ServedField
    private let directory: PrivateDirectory
    private let server: ControlServer

    /// Opens the socket, in a folder that only this user may enter.
    ///
    /// - Parameters:
    ///   - field: What is steered; the service closes it.
    ///   - stop: Called when a request asks for the end.
    /// - Throws: ``RunError`` if the machine gives no folder or socket; the field is closed then.
    public init(_ field: ServedField, stop: @escaping @Sendable () -> Void) throws(RunError) {
        self.field = field
        do {
            directory = try PrivateDirectory()
            server = try ControlServer(at: "\(directory.path)/ctl") { line in
                let (answer, isEnd) = Self.answer(line, field)
                if isEnd { stop() }
                return JSONWriter.text(answer)
            }
        } catch {
            field.close()
            throw RunError(.environment, "the control socket cannot be opened: \(error)")
        }
    }

    /// Where the socket is.
    public var path: String { server.path }

    /// The variables that a client needs, and who steers the field.
    public var variables: [(name: String, value: String)] { field.variables + [(Self.variable, path)] }

    /// Closes the doors and the socket; nothing is left of them.
    public func close() {
        field.close()
        server.close()
        directory.remove()
    }

    private static func answer(_ line: LineBuffer.Line, _ field: ServedField) -> (Node, isEnd: Bool) {
        do {
            let request = try request(line, field)
            let answer = try field.perform(request)
            return (answer.node, request == .stop)
        } catch {
            return (error.node, false)
        }
    }

    private static func request(
        _ line: LineBuffer.Line, _ field: ServedField
    ) throws(ControlRefusal) -> ControlRequest {
        guard case .text(let text) = line else {
            throw ControlRefusal("a line has at most \(ControlServer.maximumLineLength) bytes")
        }
        var diagnostics = Diagnostics()
        let scenarioCase = field.current.withLock { $0 }
        guard let node = JSONReader().read(SourceFile(name: "control", text: text), into: &diagnostics),
            let request = ControlLanguage.decode(node, for: scenarioCase, into: &diagnostics),
            !diagnostics.hasErrors
        else { throw ControlRefusal(diagnostics) }
        return request
    }
}
