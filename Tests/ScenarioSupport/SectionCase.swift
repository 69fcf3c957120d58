import Foundation
import TestSupport
import Testing

/// A case of a vector file with several sections: documents and the expected results.
///
/// ```
/// # The source of the cases.
/// === input name.yaml
/// format: 1
/// === output
/// error[S012]: …
/// ```
/// In an input called `escaped`, `\xNN` stands for a byte.
package struct SectionCase: Sendable, CustomTestStringConvertible {
    package let file: String
    package let name: String
    package let input: [UInt8]
    package let output: String

    package var testDescription: String { "\(file) \(name)" }

    /// Reads the cases of `Vectors/<name>` next to the calling file or in a folder above it.
    package static func all(_ name: String, alongside file: String = #filePath) -> [SectionCase] {
        let text = VectorFile.text(name, alongside: file)
        let cases = text.components(separatedBy: "\n=== input ").dropFirst().map { SectionCase(name, $0) }
        precondition(!cases.isEmpty, "\(name) has no cases")
        return cases
    }

    private init(_ file: String, _ text: String) {
        let parts = text.components(separatedBy: "\n=== output\n")
        precondition(parts.count == 2, "a case of \(file) has one output: \(text)")
        let head = parts[0].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let words = head[0].split(separator: " ")
        let content = head.count == 2 ? String(head[1]) + "\n" : ""
        self.file = file
        name = String(words[0])
        input = words.contains("escaped") ? Self.unescaped(content.dropLast()) : Array(content.utf8)
        output = parts[1].trimmingCharacters(in: .newlines)
    }

    private static func unescaped(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, part) in text.components(separatedBy: "\\x").enumerated() {
            let digits = index == 0 ? 0 : 2
            if digits > 0, let byte = UInt8(part.prefix(2), radix: 16) { bytes.append(byte) }
            bytes += part.dropFirst(digits).utf8
        }
        return bytes
    }
}
