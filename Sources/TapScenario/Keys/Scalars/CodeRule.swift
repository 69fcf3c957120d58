import TapWire

/// A 16-bit code as four hexadecimal digits, as people say it: system code 0003, service code 090F.
public struct CodeRule: ScalarRule {
    /// What it is, with its article: `a service code`.
    public let noun: String
    /// Codes that are known; a code that is none of them, but is one with its bytes swapped, is doubtful.
    public let known: [UInt16]

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - noun: What it is, with its article: `a service code`.
    ///   - known: Codes that are known, for a hint when the bytes are swapped.
    public init(_ noun: String, known: [UInt16] = []) {
        self.noun = noun
        self.known = known
    }

    /// Reads four digits, with blanks anywhere between them.
    public func parse(_ text: String) throws(ScalarProblem) -> UInt16 {
        var digits = ""
        for (offset, scalar) in text.unicodeScalars.enumerated() where scalar != " " && scalar != "\t" {
            guard scalar.isASCII, Character(scalar).isHexDigit else {
                throw problem(HexRule.advice(on: Character(scalar), behind: digits.last), offset..<offset + 1)
            }
            digits.unicodeScalars.append(scalar)
        }
        guard digits.utf8.count == 4, let code = UInt16(digits, radix: 16) else {
            let isShort = (1...3).contains(digits.utf8.count)
            let filled = digits.leftPadded(to: 4, with: "0")
            throw problem("\(noun) has four digits" + (isShort ? ": \"\(filled)\"" : ""), nil)
        }
        return code
    }

    private func problem(_ hint: String, _ part: Range<Int>?) -> ScalarProblem {
        ScalarProblem(.notCode, "is not \(noun)", hint: hint, part: part)
    }

    /// Tells a code whose bytes seem swapped.
    public func doubt(about text: String) -> ScalarProblem? {
        guard let code = try? parse(text), !known.contains(code), known.contains(code.byteSwapped) else { return nil }
        let swapped = Hex.digits(code.byteSwapped, width: 4)
        return ScalarProblem(
            .swappedBytes, "seems to have its bytes swapped",
            hint: "did you mean \"\(swapped)\"? \(noun) is written high byte first")
    }

    /// Four digits, and the number a YAML reader makes where all are decimal.
    public var schema: ScalarSchema {
        ScalarSchema(.pattern("\\s*([0-9A-Fa-f]\\s*){4}"), numbers: .any)
    }

    /// Yes: `0003` is 3 elsewhere.
    public var needsQuotes: Bool { true }
}
