import TapField
import TapScenario
import TapWire

struct PhoneJudge {
    private static let maximumQuotes = 6

    private let report: PhoneReport
    private let place: Int?

    init(_ report: PhoneReport, place: Int?) {
        self.report = report
        self.place = place
    }

    func judge(_ item: Expectation, _ demand: PhoneDemand) -> [Failure] {
        switch demand {
        case .alerts(let patterns): alerts(item, patterns)
        case .end(let end): last(item) { difference(end, of: $0) }
        case .ends(let ends): each(item, ends)
        case .errorMessage(let pattern): last(item) { difference(pattern, of: $0) }
        case .sessions(let range): count(item, range, report.sessions.count, "session")
        case .tagCount(let range): count(item, range, tags.count, "card")
        case .tags(let names):
            tags == names ? [] : [item.failure(Self.list(names), got: Self.list(tags), nearest: place)]
        }
    }

    private var tags: [String] { report.sessions.flatMap(\.tags) }

    private func count(_ item: Expectation, _ range: IntegerRange, _ count: Int, _ noun: String) -> [Failure] {
        guard !range.contains(count) else { return [] }
        let expected = range.upper == range.lower ? CountText.of(range.lower, noun) : "\(range) \(noun)s"
        return [item.failure(expected, got: count == 0 ? "none" : "\(count)", nearest: place)]
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    // MARK: Texts

    private func alerts(_ item: Expectation, _ patterns: [PhoneDemand.LocatedPattern]) -> [Failure] {
        let shown = report.sessions.flatMap(\.alerts)
        guard !patterns.isEmpty else {
            return shown.isEmpty ? [] : [item.failure("no text on the sheet", got: Self.quotes(shown), nearest: place)]
        }
        var rest = shown[...]
        var before: LinePattern?
        for located in patterns {
            guard let index = rest.firstIndex(where: { located.pattern.isFound(in: $0) }) else {
                let suffix = before.map { " after \(Self.quote($0))" } ?? ""
                return [
                    item.failure(
                        "\(Self.quote(located.pattern)) on the sheet\(suffix)", got: Self.quotes(shown), nearest: place,
                        source: located.source)
                ]
            }
            rest = rest[(index + 1)...]
            before = located.pattern
        }
        return []
    }

    private static func quote(_ pattern: LinePattern) -> String { ClientJudge.quote(pattern.description) }

    private static func quotes(_ texts: [String]) -> String {
        guard !texts.isEmpty else { return "no text" }
        let more = texts.count > maximumQuotes ? " and \(texts.count - maximumQuotes) more" : ""
        return texts.prefix(maximumQuotes).map(ClientJudge.quote).joined(separator: ", ") + more
    }

    // MARK: Ends

    /// Returns the failure of the last session, from a comparison that returns the expected and the actual text.
    private func last(
        _ item: Expectation,
        _ difference: (PhoneReport.Session) -> (expected: String, got: String)?
    ) -> [Failure] {
        guard let session = report.sessions.last else {
            return [item.failure("a session", got: "an app that started none", nearest: place)]
        }
        return difference(session).map { [item.failure($0.expected, got: $0.got, nearest: place)] } ?? []
    }

    private func each(_ item: Expectation, _ ends: [PhoneEnd]) -> [Failure] {
        guard ends.count == report.sessions.count else {
            return [
                item.failure(
                    CountText.of(ends.count, "session"), got: CountText.of(report.sessions.count, "session"),
                    nearest: place)
            ]
        }
        return zip(ends, report.sessions).enumerated().compactMap { index, pair in
            difference(pair.0, of: pair.1).map {
                item.failure("\($0.expected) in session \(index + 1)", got: $0.got, nearest: place)
            }
        }
    }

    private func difference(
        _ end: PhoneEnd, of session: PhoneReport.Session
    ) -> (expected: String, got: String)? {
        let isMet =
            switch end {
            case .error(let code): session.error == code
            case .wellDone: session.isWellDone
            }
        return isMet ? nil : ("\(end)", session.endText)
    }

    private func difference(
        _ pattern: LinePattern, of session: PhoneReport.Session
    ) -> (expected: String, got: String)? {
        guard let message = session.errorMessage else { return (Self.quote(pattern), session.endText) }
        return pattern.isFound(in: message) ? nil : (Self.quote(pattern), ClientJudge.quote(message))
    }
}

extension PhoneReport.Session {
    /// A Boolean value that indicates whether the app ended the session without an error message, or the phone ended it after
    /// its first read.
    fileprivate var isWellDone: Bool {
        isEndedByApp && errorMessage == nil || error == PhoneErrorCode.firstNDEFTagRead.rawValue
    }

    fileprivate var endText: String {
        if let errorMessage { return "the error message \(ClientJudge.quote(errorMessage))" }
        if isEndedByApp { return "a session that the app ended without an error" }
        return error.map(PhoneEnd.text) ?? "a session that is still open"
    }
}
