/// Characters from Japanese keyboards and word processors that are mistaken for ASCII characters.
package enum LookAlike {
    /// The description of a look-alike and its ASCII equivalent, or `nil` for other characters.
    package static func meant(by scalar: Unicode.Scalar) -> (noun: String, plain: String)? {
        switch scalar {
        case "\u{3000}": return ("an ideographic space (U+3000)", " ")
        case "“", "”", "„", "‟": return ("a typographic quote", "\"")
        case "‘", "’": return ("a typographic quote", "'")
        case "—", "–", "―", "−", "‐", "‑": return ("a typographic dash", "-")
        case "、": return ("a Japanese comma", ",")
        case "\u{FF01}"..."\u{FF5E}":
            guard let plain = Unicode.Scalar(scalar.value - 0xFEE0) else { return nil }
            let noun =
                switch plain {
                case ":": "a full-width colon"
                case ",": "a full-width comma"
                case "{", "}", "[", "]": "a full-width bracket"
                case "0"..."9": "a full-width digit"
                case "a"..."z", "A"..."Z": "a full-width letter"
                default: "a full-width character"
                }
            return (noun, String(plain))
        default: return nil
        }
    }

    /// The ASCII form of a text: full-width characters become narrow, and kana become the letters of their Unicode names.
    ///
    /// - Returns: `nil` for text that is already ASCII, and for characters without such a form.
    package static func plain(_ text: String) -> String? {
        guard !text.unicodeScalars.allSatisfy(\.isASCII) else { return nil }
        var plain = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                plain.unicodeScalars.append(scalar)
            } else if let meant = meant(by: scalar) {
                plain += meant.plain
            } else if let letters = kana(scalar) {
                plain += letters
            } else {
                return nil
            }
        }
        let trimmed = plain.drop { $0 == " " }
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    /// The first look-alike of a text and its replacement as a clause, or `nil` for ASCII text and for other characters.
    package static func advice(on text: String) -> String? {
        guard let stranger = text.unicodeScalars.first(where: { !$0.isASCII }) else { return nil }
        let plain = plain(text).map { "write `\($0)`" }
        if let meant = meant(by: stranger) {
            let name = stranger == "\u{3000}" ? "this is " : "`\(stranger)` is "
            return "\(name)\(meant.noun); "
                + (plain ?? "write `\(meant.plain)`")
        }
        guard kana(stranger) != nil else { return nil }
        return "`\(stranger)` is not a letter from a to z" + (plain.map { "; \($0)" } ?? "")
    }

    /// A Boolean value that indicates whether a text begins with a typographic quote.
    package static func isQuoted(_ text: String) -> Bool {
        text.unicodeScalars.first.flatMap(meant)?.noun == "a typographic quote"
    }

    /// A Boolean value that indicates whether the first character of a text that is not ASCII is a kana.
    package static func isKana(_ text: String) -> Bool {
        text.unicodeScalars.first { !$0.isASCII }.flatMap(kana) != nil
    }

    /// The letters of a kana from its Unicode name, such as KATAKANA LETTER SU; empty for marks between kana.
    private static func kana(_ scalar: Unicode.Scalar) -> String? {
        guard let name = scalar.properties.name else { return nil }
        let words = name.split(separator: " ")
        guard words.contains(where: { $0.hasPrefix("KATAKANA") || $0.hasPrefix("HIRAGANA") }) else { return nil }
        return words.contains("LETTER") ? words.last.map { $0.lowercased() } : ""
    }

    /// The first look-alike of a YAML mark in a line, outside of text.
    ///
    /// - Returns: The offset in the line.
    package static func mark(in line: some Collection<Unicode.Scalar>) -> Int? {
        var (quote, last, hasKey): (Unicode.Scalar?, Unicode.Scalar?, Bool) = (nil, nil, false)
        var opened = 0
        for (offset, scalar) in line.enumerated() {
            defer { if scalar != " " { last = scalar } }
            if let open = quote {
                if scalar == open { quote = nil }
                continue
            }
            let isStart = last == nil || [":", "-", ",", "{", "["].contains(last)
            switch scalar {
            case "\"" where isStart, "'" where isStart: quote = scalar
            case "#" where offset == 0: return nil
            case "{", "[": (opened, hasKey) = (opened + 1, false)
            case "}", "]": opened -= 1
            case ",": hasKey = opened > 0 ? false : hasKey
            case ":": hasKey = true
            case "：" where !hasKey && !isStart: return offset
            case "\u{3000}" where isStart: return offset
            case "，" where opened > 0: return offset
            case "｛", "［", "“", "”", "‘", "’": if isStart { return offset }
            default: break
            }
        }
        return nil
    }
}
