import TapDocument
import TapSystem
import TapScenario

/// The socket on which a field is steered.
///
/// Each request and each answer is one line of JSON. A request is a map of the ``ControlLanguage``; an answer has `ok`,
/// and either `result` and `text`, or `error`, a sentence.
public final class FieldService: Sendable {
    /// The variable that tells where the socket is.
    public static let variable = "TAPSIM_CTL"

    /// The name of a socket in its own folder.
    private static let name = "ctl"

    private let directory: PrivateDirectory?
    private let server: ControlServer

    /// Opens the socket, for this user alone.
    ///
    /// - Parameters:
    ///   - field: What is steered.
    ///   - path: The path of the socket, or `nil` for its own folder; a stale socket there is replaced.
    ///   - stop: Called on the thread of the socket when a request asks for the end; told whether it is to linger.
    /// - Throws: ``SystemError`` if the machine gives no folder or socket.
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

    /// Where the socket is.
    public var path: String { server.path }

    /// Closes and removes the socket; the field stays as it is.
    ///
    /// Waits for the thread of the socket, so it must not be called on it.
    public func close() {
        server.close()
        directory?.remove()
    }

    /// The answer to a line, and the request if it was carried out.
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
    /// The answer as a person reads it.
    public let lines: [String]
    /// The answer as a program reads it.
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

/// Why a request is not carried out; the field is as it was.
public struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the remedy, a sentence without a full stop.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// The first error that was found.
    init(_ diagnostics: Diagnostics) {
        let error = diagnostics.sorted.first { $0.severity == .error }
        description = error.map { $0.hint.isEmpty ? $0.message : "\($0.message); \($0.hint)" } ?? "nothing is asked"
    }

    var node: Node { ["ok": false, "error": .text(description)] }
}
