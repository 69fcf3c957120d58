import TapPhone

/// How far a session has come, for sentences.
struct SessionProgress {
    private let record: SessionRecord

    /// Takes the session.
    init(_ record: SessionRecord) {
        self.record = record
    }

    /// Half a sentence: what was shown, found and sent so far.
    var text: String {
        let found = record.tags.isEmpty ? "no tag was found yet" : "the last tag was found"
        let sent = record.commands.last.map { "the last command was \($0)" } ?? "no command was sent"
        let shown = record.alerts.last.flatMap { $0.isEmpty ? nil : "its sheet says \"\($0)\"" }
        return ([shown, found, sent].compactMap(\.self)).joined(separator: ", ")
    }
}
