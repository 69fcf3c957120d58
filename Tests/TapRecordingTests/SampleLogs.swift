import TapCards
import TapRecording
import TapWire
import TestSupport

/// Logs of invented cards in the formats of other programs; the texts are vector files, and the expected contents are in
/// `logs.txt` there.
enum SampleLogs {
    static let names = [
        "libnfc.log", "libnfc-tag.log", "libnfc-acr122u.log", "nfcpy.log", "nfcpy-tag.log", "nfcpy-tags.log",
        "nfcpy-chip.log", "nfcpy-acr122u.log", "pcscd.log", "pcscd-debug.log", "pcsc-spy.txt", "pcsc-spy-control.txt",
        "pm3-felica.txt", "pm3-14a.txt", "pm3-raw.txt", "hex-felica.txt", "hex-tag.txt", "hex-scriptor.txt",
        "hex-pn532.txt", "hex-labels.txt", "opensc.txt",
        "trace.jsonl",
    ]

    static func bytes(_ name: String) -> [UInt8] { Array(VectorFile.text(name).utf8) }

    /// The expected summary of a log in `logs.txt`.
    static func told(_ name: String) -> String {
        let text = VectorFile.text("logs.txt").split(separator: "\n=== ").first { $0.hasPrefix("\(name)\n") } ?? ""
        return text.dropFirst(name.count + 1) + (text.hasSuffix("\n") ? "" : "\n")
    }
}

extension ImportedLog {
    /// The log's contents without times, one item per line.
    var summary: String {
        var lines = [format.rawValue]
        for session in sessions {
            let details = [
                session.atr.map { "ATR \(Hex.text($0))" }, session.readerName, session.hasCardLeft ? "left" : nil,
            ]
            lines.append(
                (["\(session.level.rawValue) \(session.card.summary)"] + details.compactMap(\.self)).joined(
                    separator: ", "))
            lines += session.exchanges.map(\.summary)
        }
        lines += unusedLines.map { "? \($0.number) \($0.reason)" }
        return (lines + notes.map { "! \($0)" }).joined(separator: "\n") + "\n"
    }
}

extension RecordedSession.Exchange {
    fileprivate var summary: String {
        let control = controlCode.map { Hex.digits($0, width: 8) + " " } ?? ""
        let reply = answer.map { FrameText.text($0.bytes, bitCount: $0.bitCount) } ?? "-"
        return "  \(control)\(Hex.text(command)) > \(reply)"
    }
}

extension RecordedSession.Identity {
    fileprivate var summary: String {
        switch self {
        case .felica(let idm, let pmm, let system):
            "IDm \(idm) PMm \(pmm.map { "\($0)" } ?? "-") system \(system.map { "\($0)" } ?? "-")"
        case .typeA(let uid): "UID \(uid)"
        case .unknown: "unknown"
        }
    }
}
