import TapDocument
import TapSystem
import TapScenario

/// The socket through which a field is controlled.
///
/// Each request and each answer is one line of JSON. A request is a map of the ``ControlLanguage``; an answer contains `ok`,
/// and either `result` and `text`, or `error`, a sentence.
public final class FieldService: Sendable {
    /// The environment variable with the path of the socket.
    public static let variable = "TAPSIM_CTL"

    /// The name of a socket in its own folder.
    private static let name = "ctl"

    private let directory: PrivateDirectory?
    private let server: ControlServer

    /// Opens the socket, for this user alone.
    ///
    /// - Parameters:
    ///   - field: The field to control.
    ///   - path: The path of the socket, or `nil` for its own folder; replaces a stale socket there.
    ///   - stop: Called on the thread of the socket when a request asks the service to end, with a flag for lingering.
    /// - Throws: ``SystemError`` if the machine provides no folder or socket.
    public init(
        _ field: SteeredField, at path: String? = nil, stop: @escaping @Sendable (_ lingers: Bool) -> Void
    ) throws(SystemError) {
        let directory = path == nil ? try PrivateDirectory(forSocket: Self.name) : nil
        self.directory = directory
        server = try ControlServer(at: path ?? "\(directory?.path ?? ".")/\(Self.name)") { line in
            let (answer, end) = Self.answer(line, field)
            if case .stop(let lingers)? = end { stop(lingers) }
            return JSONWriter.text(answer)
        }
    }

    public var path: String { server.path }

    /// Closes and removes the socket; the field stays as it is.
    ///
    /// Waits for the thread of the socket, so it must not be called on it.
    public func close() {
        server.close()
        directory?.remove()
    }

    /// Returns the answer to a line, and the request if it was carried out.
    static func answer(_ line: LineBuffer.Line, _ field: SteeredField) -> (Node, done: ControlRequest?) {
        do {
            let request = try request(line, field)
            let answer = try field.perform(request)
            return (answer.node, request)
        } catch {
            return (error.node, nil)
        }
    }

    private static func request(
        _ line: LineBuffer.Line, _ field: SteeredField
    ) throws(ControlRefusal) -> ControlRequest {
        guard let text = line.text else {
            throw ControlRefusal("a line has at most \(ControlServer.maximumLineLength) bytes")
        }
        var diagnostics = Diagnostics()
        let scenarioCase = field.current.withLock { $0 }
        guard let node = JSONReader().read(SourceFile(name: "", text: text), into: &diagnostics),
            let request = ControlLanguage.decode(node, for: scenarioCase, into: &diagnostics),
            !diagnostics.hasErrors
        else { throw ControlRefusal(diagnostics) }
        return request
    }
}

public struct ControlAnswer: Sendable {
    /// The answer for people.
    public let lines: [String]
    /// The answer for programs.
    public let result: Node

    public init(_ lines: [String], _ result: Node) {
        self.lines = lines
        self.result = result
    }

    public init(_ line: String, _ result: Node) {
        self.init([line], result)
    }

    var node: Node {
        ["ok": true, "result": result, "text": .list(lines.map(Node.text))]
    }
}

/// The reason why a request was not carried out; the field is unchanged.
public struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the fix, a sentence without a full stop.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// Creates a refusal from the first error.
    init(_ diagnostics: Diagnostics) {
        let error = diagnostics.sorted.first { $0.severity == .error }
        description = error.map { $0.hint.isEmpty ? $0.message : "\($0.message); \($0.hint)" } ?? "the request is empty"
    }

    var node: Node { ["ok": false, "error": .text(description)] }
}
