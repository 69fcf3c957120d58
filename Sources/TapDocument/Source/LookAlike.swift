/// Characters of Japanese keyboards and of word processors that stand where a file wants those of ASCII.
package enum LookAlike {
    /// What the character is called, and what to write in its place; `nil` for one that resembles none.
    package static func meant(by scalar: Unicode.Scalar) -> (noun: String, plain: String)? {
        switch scalar {
        case "\u{3000}": return ("an ideographic space (U+3000)", " ")
        case "“", "”", "„", "‟": return ("a typographic quote", "\"")
        case "‘", "’": return ("a typographic quote", "'")
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

    /// A text in ASCII: full-width characters as their narrow ones, kana as the letters of their names in Unicode.
    ///
    /// - Returns: `nil` for text that is in ASCII already, and for characters without such a reading.
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

    /// What the first stranger of a text is and what to write instead, half a sentence; `nil` for text in ASCII, and for
    /// characters that resemble none.
    package static func advice(on text: String) -> String? {
        guard let stranger = text.unicodeScalars.first(where: { !$0.isASCII }) else { return nil }
        let plain = plain(text).map { "write `\($0)`" }
        if let meant = meant(by: stranger) {
            let name = stranger == "\u{3000}" ? "" : "`\(stranger)` is "
            return "\(name)\(meant.noun)\(stranger == "\u{3000}" ? " stands here" : ""); "
                + (plain ?? "write `\(meant.plain)`")
        }
        guard kana(stranger) != nil else { return nil }
        return "`\(stranger)` is no letter from a to z" + (plain.map { "; \($0)" } ?? "")
    }

    /// The letters of a kana: those of its name in Unicode, such as KATAKANA LETTER SU; none for marks between kana.
    private static func kana(_ scalar: Unicode.Scalar) -> String? {
        guard let name = scalar.properties.name else { return nil }
        let words = name.split(separator: " ")
        guard words.contains(where: { $0.hasPrefix("KATAKANA") || $0.hasPrefix("HIRAGANA") }) else { return nil }
        return words.contains("LETTER") ? words.last.map { $0.lowercased() } : ""
    }

    /// The first look-alike in a line of YAML that stands where a mark of YAML can be, not inside text.
    ///
    /// - Returns: Its offset in the line.
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
