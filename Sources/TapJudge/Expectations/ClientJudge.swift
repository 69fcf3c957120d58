import TapDocument
import TapField
import TapScenario
import TapWire

struct ClientJudge {
    fileprivate static let maximumQuote = 200

    private let record: RunRecord
    private let end: EndAccount
    private var client: ClientReport { record.client }

    init(_ record: RunRecord) {
        self.record = record
        end = record.end
    }

    /// Returns the failures that apply to any client, first, and the ones that follow from other failures, last.
    ///
    /// - Parameter isExitStated: Whether the file states an exit code; if not, 0 is expected.
    func judgeEnd(isExitStated: Bool) -> (first: [Failure], last: [Failure]) {
        if let missed { return ([missed], []) }
        let failures = endFailures(isExitStated: isExitStated)
        guard record.hasMissedEveryTransport else { return (failures, []) }
        // A client without a reader waits for cards in vain, so its time limit needs no advice of its own.
        if end.complaint?.outcome == .hang { return ([missedEveryTransport], []) }
        // The error of a client that failed explains why it never reached a reader.
        return hasDied ? (failures, [missedEveryTransport]) : ([missedEveryTransport] + failures, [])
    }

    private var hasDied: Bool { end.complaint?.outcome == .crash || end.ownExit.map { $0 != 0 } ?? false }

    private func endFailures(isExitStated: Bool) -> [Failure] {
        var failures: [Failure] = []
        if let (visit, planned) = record.earlyVisit {
            failures.append(
                Failure(
                    path: "client", expected: "the client to stay for \(CountText.of(planned, "visit"))",
                    got: "an exit in visit \(visit)\(client.lastError)"))
        }
        if let code = end.ownExit, code != 0, !isExitStated {
            failures.append(Failure(path: "client", expected: "exit 0", got: "exit \(code)\(client.lastError)"))
        }
        if let complaint = end.complaint {
            failures.append(
                Failure(
                    path: "client", expected: complaint.expected,
                    got: complaint.got + complaint.lastError(of: client) + searches, nearest: complaint.nearest,
                    hint: complaint.hint))
        }
        return failures
    }

    /// The failure of a client that never printed its ready line, so that no card arrived; other failures follow from it.
    private var missed: Failure? {
        guard let pattern = client.missedReady else { return nil }
        let crash = end.complaint.flatMap { $0.outcome == .crash ? $0.got : nil }
        let got = end.ownExit.map { "exit \($0)" } ?? crash ?? EndAccount.stillRunning
        return Failure(
            path: "client", expected: "the client to print \(Self.quote(pattern.description)) when it is ready",
            got: "\(got) without it\(client.lastError)\(searches)",
            hint: "TapSim looks for it in each line of standard output; a client that buffers its output has to "
                + "flush it.")
    }

    /// The last line and the searches of a client that was stopped because it never printed an expected line.
    private var searches: String {
        guard case .lineLimit = client.end else { return "" }
        return "; \(record.sinceLastLine)"
    }

    func judge(_ item: Expectation) -> [Failure] {
        switch item.demand {
        case .exit(let codes):
            if case .killed(let limit, nil) = client.end {
                return [item.failure("exit \(codes)", got: "a client still running after \(DurationRule.text(limit))")]
            }
            guard let code = end.exit else {
                return end.endedByTapSim.map { [item.failure("exit \(codes)", got: "a client \($0)")] } ?? []
            }
            guard !codes.contains(Int(code)) else { return [] }
            return [item.failure("exit \(codes)", got: "exit \(code)\(client.lastError)")]
        case .within(let limit):
            let time = client.wall ?? record.world.now
            guard time > limit else { return [] }
            return [item.failure("at most \(DurationRule.text(limit))", got: Self.text(time))]
        case .output(let stream, let text):
            let printed = stream == .stdout ? client.standardOutput : client.standardError
            guard !Self.holds(printed, text) else { return [] }
            let (expected, got) = LineDifference.first(of: text, in: printed) ?? (text, printed)
            return [item.failure("\(Self.quote(expected)) in it", got: got.isEmpty ? "nothing" : Self.quote(got))]
        default:
            return []
        }
    }

    /// - Parameter result: The output of the client.
    func judge(_ item: Expectation, _ texts: [String], in result: Node) -> [Failure] {
        let texts = texts.filter { !$0.isEmpty }
        let text = PrintedText(result)
        guard let missing = texts.indices.first(where: { text.alignment(of: Array(texts[...$0])).count <= $0 }) else {
            return []
        }
        let number = texts.count > 1 ? ", text \(missing + 1) of \(texts.count)," : ""
        let place = missing > 0 ? " after \(Self.quote(texts[missing - 1]))" : ""
        let printed = client.standardOutput
        return [
            item.failure(
                "\(Self.quote(texts[missing]))\(number) in its output\(place)",
                got: printed.isEmpty ? "nothing" : Self.quote(printed))
        ]
    }

    private var missedEveryTransport: Failure {
        let transports = ListText.choice(record.transportsOpened.map(\.name))
        let hang = end.complaint.flatMap { $0.outcome == .hang ? ": \($0.reason)" : nil }
        let got = "none opened\(hang ?? "")"
        guard !record.readsByPhone else {
            return Failure(
                path: "client", expected: "the client to open a reader (\(transports))", got: got,
                hint:
                    "It is built on VirtualCoreNFC, which opens no transport: its phone gets cards from its tests, or from "
                    + "TAPSIM_CARD in its environment; tapsim ctl then controls and judges it.")
        }
        let opening = hasDied && !client.lastError.isEmpty ? "\(ownErrorFirst)Other possible causes" : "Possible causes"
        guard record.transportsOpened.map(\.name) != ["usb"] else {
            return Failure(
                path: "client", expected: "the client to open a reader (\(transports))", got: got,
                hint:
                    "\(opening): sudo, tox or docker dropped UMOCKDEV_DIR and LD_PRELOAD. The program makes system calls "
                    + "without the C library (Go without cgo, Rust with nusb). \(Self.neverLooked)")
        }
        let variables = record.transportsOpened.compactMap(\.variable)
        let reason =
            variables.isEmpty
            ? "the system's PC/SC service does not run with a reader of the driver \(transports) at that port."
            : "sudo, tox or docker dropped \(ListText.choice(variables)). "
                + "The client uses a fixed path to its reader\(hintOfPaths)."
        return Failure(
            path: "client", expected: "the client to open a reader (\(transports))", got: got,
            hint: "\(opening): \(reason) \(Self.neverLooked)\(hintOfPorts)")
    }

    private var ownErrorFirst: String {
        let isLibraryMissing = client.lastError.contains("libpcsclite")
        return "See its own error first\(isLibraryMissing ? "; `tapsim doctor` names the package" : ""). "
    }

    private static let neverLooked = "The client never looked for a reader."

    private var hintOfPaths: String {
        let options: [(transport: ReaderSpec.Transport, option: String)] = [(.pcsc, "--socket"), (.libnfc, "--tty")]
        let commands = options.filter { option in
            record.transportsOpened.contains { $0.name == option.transport.rawValue }
        }
        .map { "`tapsim serve \($0.option) PATH`" }
        return commands.isEmpty ? "" : ": \(ListText.choice(commands)) opens one there"
    }

    /// Advice on opening transports at ports, if no transport was opened and no reader is bound to one.
    private var hintOfPorts: String {
        let names = record.transportsOpened.map(\.name)
        let transports = ReaderSpec.Transport.atPorts
        guard names.count > 1, !transports.contains(where: { names.contains($0.rawValue) }) else { return "" }
        return
            " A transport at a port (\(ListText.choice(transports.map(\.rawValue)))) opens only for a client with its name "
            + "in braces among its arguments, such as \(ReaderSpec.Transport.nfcpy.placeholder), or with --transport."
    }

    /// Returns whether an output contains a text, byte for byte; a text that ends in a line break must match whole lines.
    private static func holds(_ output: String, _ text: String) -> Bool {
        guard text.utf8.last == UInt8(ascii: "\n") else { return contains(output, text) }
        return contains("\n" + output + (output.utf8.last == UInt8(ascii: "\n") ? "" : "\n"), "\n" + text)
    }

    /// Returns whether a text contains another one, compared byte for byte.
    static func contains(_ text: String, _ part: String) -> Bool {
        let haystack = Array(text.utf8)
        let needle = Array(part.utf8)
        guard let first = needle.first else { return true }
        guard haystack.count >= needle.count else { return false }
        return (0...haystack.count - needle.count).contains { start in
            haystack[start] == first && haystack[start..<start + needle.count].elementsEqual(needle)
        }
    }

    static func quote(_ text: String) -> String {
        JSONWriter.text(.text(shorten(text)))
    }

    static func shorten(_ text: String) -> String {
        text.count <= maximumQuote ? text : String(text.prefix(maximumQuote)) + "…"
    }

    private static func text(_ time: Duration) -> String {
        DurationRule.text(.milliseconds(time.wholeNanoseconds / 1_000_000))
    }
}

enum ResultJudge {
    static func judge(
        _ item: Expectation, _ pointer: JSONPointer, _ expected: Node, of client: ClientReport
    ) -> [Failure] {
        guard let result = client.result else {
            let output = client.standardOutput
            let got = output.isEmpty ? "no result" : "output that is not JSON: \(ClientJudge.quote(output))"
            return [item.failure("a result", got: got, path: "expect.result")]
        }
        switch pointer.target(in: result) {
        case .nothing(let reason):
            return [item.failure(text(expected), got: "nothing: \(reason)")]
        case .value(let value):
            guard !matches(value, expected) else { return [] }
            return [item.failure(text(expected), got: text(value))]
        }
    }

    /// Returns whether a value matches the value that a file expects.
    ///
    /// A number matches itself or a range that contains it; a text matches itself. A list matches item by item; a map may have
    /// additional keys.
    static func matches(_ value: Node, _ expected: Node) -> Bool {
        switch (value, expected) {
        case (.scalar(let value), .scalar(let expected)): matches(value, expected)
        case (.list(let value), .list(let expected)):
            value.items.count == expected.items.count && zip(value.items, expected.items).allSatisfy(matches)
        case (.map(let value), .map(let expected)):
            expected.entries.allSatisfy { entry in value[entry.key.text].map { matches($0, entry.value) } ?? false }
        default: false
        }
    }

    private static func matches(_ value: Scalar, _ expected: Scalar) -> Bool {
        switch value.form {
        case .number:
            if value.text == expected.text { return true }
            if let number = Int(value.text), let range = try? RangeRule(Int.min...Int.max).parse(expected.text) {
                return range.contains(number)
            }
            guard let number = Double(value.text), let other = Double(expected.text) else { return false }
            return number == other
        case .null: return expected.isNothing || expected.text == "null"
        case .boolean, .plain, .quoted, .literal: return value.text == expected.text
        }
    }

    /// Returns a value as failures show it: compact JSON with unquoted ranges.
    static func text(_ node: Node) -> String {
        ClientJudge.shorten(JSONWriter.text(typed(node)))
    }

    /// Returns two differing values, each as ``text(_:)`` shows it; long values start shortly before the first difference.
    static func texts(_ one: Node, _ other: Node) -> (String, String) {
        let (one, other) = (JSONWriter.text(typed(one)), JSONWriter.text(typed(other)))
        let shared = zip(one, other).prefix { $0 == $1 }.count - contextLength
        guard shared > 0, max(one.count, other.count) > ClientJudge.maximumQuote else {
            return (ClientJudge.shorten(one), ClientJudge.shorten(other))
        }
        let tails = [one, other].map { "…" + ClientJudge.shorten(String($0.dropFirst(shared))) }
        return (tails[0], tails[1])
    }

    private static let contextLength = 20

    /// Returns the value with plain YAML texts as failures show them: numbers, ranges and keywords bare, other texts quoted.
    private static func typed(_ node: Node) -> Node {
        switch node {
        case .scalar(let scalar):
            guard scalar.form == .plain else { return node }
            let isRange = (try? RangeRule(Int.min...Int.max).parse(scalar.text)) != nil
            let isBare = isRange || ["true", "false", "null"].contains(scalar.text)
            return .scalar(Scalar(scalar.text, form: isBare ? .number : .quoted))
        case .list(let list):
            return .list(list.items.map(typed))
        case .map(let map):
            return .map(map.entries.map { (key: $0.key.text, value: typed($0.value)) })
        }
    }
}
