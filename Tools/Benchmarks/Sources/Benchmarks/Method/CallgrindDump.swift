/// One dump of Callgrind: a text of costs by function, names abbreviated by numbers after their first mention.
///
/// Source: Valgrind manual, "Callgrind format specification".
struct CallgrindDump {
    /// The name the counted program gave; nil for the dump at its end.
    private(set) var name: String?
    /// Instructions by function, what it calls left out.
    private(set) var instructions: [String: Int] = [:]

    init(_ text: String) {
        var names: [Substring: String] = [:]
        var function = ""
        var isCostOfCall = false
        for line in text.split(separator: "\n") {
            if let request = line.removingPrefix("desc: Trigger: Client Request: ") {
                name = String(request)
            } else if let mention = line.removingPrefix("fn=") {
                function = Self.name(mention, &names)
            } else if let mention = line.removingPrefix("cfn=") {
                _ = Self.name(mention, &names)
            } else if line.hasPrefix("calls=") {
                isCostOfCall = true
            } else if let first = line.first, first.isNumber || "+-*".contains(first) {
                let cost = line.split(separator: " ").last.flatMap { Int($0) } ?? 0
                if !isCostOfCall { instructions[function, default: 0] += cost }
                isCostOfCall = false
            }
        }
    }

    /// The name in a mention such as `(7) main` or, later, `(7)`.
    private static func name(_ mention: Substring, _ names: inout [Substring: String]) -> String {
        let parts = mention.split(separator: " ", maxSplits: 1)
        if parts.count == 2 { names[parts[0]] = String(parts[1]) }
        return names[parts[0]] ?? String(mention)
    }
}

extension Substring {
    fileprivate func removingPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
