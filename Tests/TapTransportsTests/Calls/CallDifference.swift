import Foundation

/// A call with different results through the installed pcscd and through the private service.
struct CallDifference: Hashable, Sendable {
    /// The sequence that contains the call.
    var sequence: String
    /// The line in the log of pcscd.
    var installed: String
    /// The line in the log of the private service.
    var own: String

    /// The differences between two logs, in order.
    static func between(_ installed: [String], _ own: [String]) -> [CallDifference] {
        var sequence = ""
        var found: [CallDifference] = []
        let length = max(installed.count, own.count)
        for (installed, own) in zip(padded(installed, to: length), padded(own, to: length)) {
            if installed.hasPrefix("== ") { sequence = installed }
            if installed != own { found.append(CallDifference(sequence: sequence, installed: installed, own: own)) }
        }
        return found
    }

    private static func padded(_ log: [String], to length: Int) -> [String] {
        log + Array(repeating: "nothing", count: length - log.count)
    }

    /// The list in `differences.txt`: a line `reason TEXT`, a sequence, and pairs of lines marked with `- ` for pcscd and `+ `
    /// for the private service.
    static func listed() throws -> [CallDifference] {
        let text = try String(contentsOf: CallTable.folder.appendingPathComponent("differences.txt"), encoding: .utf8)
        var found: [CallDifference] = []
        var (reason, sequence, installed): (String?, String?, String?)
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            switch line.prefix(2) {
            case "re": (reason, sequence) = (line, nil)
            case "==": sequence = line
            case "- ": installed = String(line.dropFirst(2))
            default:
                guard line.hasPrefix("+ "), reason != nil, let sequence, let left = installed else {
                    throw CallTable.Failure(description: "`\(line)` has no reason, sequence or other half")
                }
                found.append(CallDifference(sequence: sequence, installed: left, own: String(line.dropFirst(2))))
                installed = nil
            }
        }
        return found
    }

    /// The difference in the notation of the list.
    var text: String { "\(sequence)\n- \(installed)\n+ \(own)" }
}
