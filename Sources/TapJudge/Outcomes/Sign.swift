/// The part of a description that is the same in several runs in which a client did the same.
enum Sign {
    private static let longest = 160

    /// Returns a text with `#` for every number, including hexadecimal ones.
    static func general(_ text: String) -> String {
        var result = ""
        var word = ""
        for character in text {
            if character.isASCII, character.isLetter || character.isNumber {
                word.append(character)
            } else {
                result += general(word: word)
                result.append(character)
                word = ""
            }
        }
        return String((result + general(word: word)).prefix(longest))
    }

    private static func general(word: String) -> String {
        guard word.contains(where: \.isNumber) else { return word }
        let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word[...]
        return digits.allSatisfy(\.isHexDigit) ? "#" : word
    }

    /// Returns the name of an error before its message: `ValueError` in `ValueError: month must be in 1..12`, `SEGV` in
    /// `==7==ERROR: AddressSanitizer: SEGV on unknown address`.
    static func kind(of error: String) -> String {
        for mark in ["Sanitizer: ", "runtime error: "] {
            guard let named = error.firstRange(of: mark) else { continue }
            let rest = error[named.upperBound...]
            return general(String(rest[..<(rest.firstRange(of: " on ")?.lowerBound ?? rest.endIndex)]))
        }
        guard let colon = error.firstIndex(of: ":") else { return general(error) }
        let name = error[..<colon]
        return name.contains(" ") ? general(error) : String(name)
    }
}
