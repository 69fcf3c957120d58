extension ErrorReport {
    /// Marks of stack frames that do not belong to the client's own code.
    private static let foreign = [
        "site-packages", "dist-packages", "/lib/python", "<frozen", "node:internal", "java.base/", "/usr/local/go/",
        "/libexec/", "__interceptor", "__asan", "__sanitizer", "__ubsan", "libc.so", "rustc/",
    ]

    /// The function or file of the client in which it crashed, without line numbers because every edit moves them.
    var place: String? {
        // Python prints the innermost frame last, all other languages first.
        lines.last { Self.isOwn($0) && Self.pythonFrame($0) != nil }.flatMap(Self.pythonFrame)
            ?? lines.lazy.filter(Self.isOwn).compactMap(Self.frame).first
    }

    private static func isOwn(_ line: Substring) -> Bool { !foreign.contains { line.contains($0) } }

    /// Returns the location in a line such as `  File "/app/read.py", line 12, in date`.
    private static func pythonFrame(_ line: Substring) -> String? {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3, trimmed(parts[0]) == "File", parts[2].hasPrefix(", line ") else { return nil }
        let function = rest(of: parts[2], after: ", in ").map { ", \($0)" } ?? ""
        return fileName(parts[1]) + function
    }

    /// Returns the location in a frame of another language: `#1 0x4f in read main.c:5`, `    at read (main.js:5:1)`,
    /// `panicked at src/main.rs:5:1`, `Reader/Card.swift:5: Fatal error`, and Go's `<tab>/app/main.go:5 +0x1d`.
    private static func frame(_ line: Substring) -> String? {
        let text = trimmed(line)
        if text.hasPrefix("#"), let function = rest(of: text, after: " in ") {
            return function.split(separator: " ").first.map(String.init)
        }
        if let function = text.hasPrefix("at ") ? rest(of: text, after: "at ") : nil {
            let name = function.prefix { $0 != "(" }
            return name.count < function.count && !name.isEmpty ? trimmed(name) : sourceFile(in: function)
        }
        if let place = rest(of: text, after: "panicked at ") { return sourceFile(in: place) }
        let isSwift =
            text.contains(".swift:")
            && [": Fatal error", ": Precondition", ": Assertion"].contains(where: text.contains)
        // Files of Swift's standard library begin with this prefix.
        if isSwift, text.hasPrefix("Swift/") { return nil }
        return isSwift || line.first == "\t" && text.contains(".go:") ? sourceFile(in: text) : nil
    }

    /// Returns the name of the first file that is followed by a line number.
    private static func sourceFile(in text: String) -> String? {
        let words = text.split { " ()'\",".contains($0) }
        return words.lazy.compactMap { word -> String? in
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            guard let place = parts.indices.dropFirst().first(where: { Int(parts[$0]) != nil }),
                parts[place - 1].contains(".")
            else { return nil }
            return fileName(parts[place - 1])
        }.first
    }

    private static func fileName(_ path: Substring) -> String {
        path.split(separator: "/").last.map(String.init) ?? String(path)
    }
}
