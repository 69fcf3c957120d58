#if YAML
    import TapScenario

    /// What libyaml finds, in our words.
    ///
    /// libyaml tells its findings apart by their texts alone, so those are the keys of the tables; a text that is in
    /// none gets a general sentence.
    private struct Sentence {
        enum Pointer {
            /// Where libyaml stopped.
            case here
            /// Where what it was reading begins.
            case beginning
            /// Where it stopped, and beside it where what it was reading begins.
            case both(String)
        }

        let message: String
        let hint: String
        let pointer: Pointer
        let code: DiagnosticCode

        init(_ message: String, _ hint: String, _ pointer: Pointer = .here, code: DiagnosticCode = .notYAML) {
            self.message = message
            self.hint = hint
            self.pointer = pointer
            self.code = code
        }

        static let tab = Sentence("a tab stands where the indentation is", "indent with blanks")
        static let openQuote = Sentence("this quote is never closed", "add the closing quote", .beginning)
        static let anchor = Sentence(
            "scenario files have no anchors and aliases", "quote text that begins with `&` or `*`", .beginning,
            code: .yamlFeature)
        static let tag = Sentence(
            "scenario files have no tags", "quote text that begins with `!`", .beginning, code: .yamlFeature)
        static let directive = Sentence(
            "scenario files have no directives", "quote text that begins with `%`", .beginning, code: .yamlFeature)

        /// By what libyaml was reading.
        static let byContext: [String: Sentence] = [
            "while scanning an anchor": anchor, "while scanning an alias": anchor,
            "while scanning a tag": tag, "while parsing a tag": tag,
            "while scanning a directive": directive, "while scanning a %YAML directive": directive,
            "while scanning a %TAG directive": directive, "while parsing a %TAG directive": directive,
            "while parsing a tag directive": directive,
        ]

        /// By what it found.
        static let byProblem: [String: Sentence] = [
            "mapping values are not allowed in this context": Sentence(
                "a `:` stands where no key can be",
                "quote text that holds `: `; see that keys of a map are in one column"),
            "mapping keys are not allowed in this context": Sentence(
                "a `?` stands where no key can be", "quote text that begins with `? `"),
            "block sequence entries are not allowed in this context": Sentence(
                "an item stands where no list can begin", "begin the list on a line of its own, or write `[…]`"),
            "could not find expected ':'": Sentence(
                "a `:` is missing behind this key", "write `key: value`, with a blank", .beginning),
            "did not find expected key": Sentence(
                "this does not fit the map it stands in", "the keys of a map begin in one column",
                .both("the map begins here")),
            "did not find expected '-' indicator": Sentence(
                "this does not fit the list it stands in", "the items of a list begin in one column",
                .both("the list begins here")),
            "did not find expected ',' or ']'": Sentence(
                "a `,` or `]` is missing", "one of them is needed here", .both("the list begins here")),
            "did not find expected ',' or '}'": Sentence(
                "a `,` or `}` is missing", "one of them is needed here", .both("the map begins here")),
            "did not find expected node content": Sentence("a value is missing", "a value is needed here"),
            "did not find expected <document start>": Sentence(
                "text stands outside the document", "a file holds one map, all keys in the first column"),
            "found character that cannot start any token": Sentence(
                "text cannot begin with this character", "quote the text"),
            "found unexpected ':'": Sentence("a `:` stands inside this text", "quote the text"),
            "found unexpected end of stream": openQuote, "found unexpected document indicator": openQuote,
            "found unknown escape character": Sentence(
                "there is no such escape", "write `\\\\` for a backslash, or use single quotes"),
            "did not find expected hexdecimal number": Sentence(
                "an escape lacks its digits", "`\\x` has two hexadecimal digits, `\\u` four, `\\U` eight"),
            "found invalid Unicode character escape code": Sentence(
                "an escape names no character", "surrogates and numbers beyond 10FFFF are no characters"),
            "found a tab character where an indentation space is expected": tab,
            "found a tab character that violates indentation": tab,
            "found an indentation indicator equal to 0": Sentence(
                "a block cannot have no indentation", "write `|` alone"),
            "did not find expected comment or line break": Sentence(
                "text stands behind the `|` of a block", "the text begins on the next line"),
            "control characters are not allowed": Sentence(
                "a control character stands in the file", "remove it, or write it as an escape in double quotes"),
        ]

        static let unknown = Sentence(
            "this cannot be read as YAML", "see the indentation, quotes and brackets around it")

        /// The sentence for a failure; `next` is the character it stopped at.
        static func of(_ failure: ParserFailure, next: Unicode.Scalar?) -> Sentence {
            if failure.problem.isEmpty {
                return Sentence("there is no memory left to read the file", "", code: .limitExceeded)
            }
            if next == "\t", failure.problem == "found character that cannot start any token" { return tab }
            return byContext[failure.context] ?? byProblem[failure.problem] ?? unknown
        }
    }

    extension Diagnostic {
        /// The error of libyaml in our words.
        init(_ failure: ParserFailure, in file: SourceFile) {
            if let lookAlike = Diagnostic(lookAlikeAt: failure, in: file) {
                self = lookAlike
                return
            }
            let offset = failure.byteOffset.map { file.offset(ofByte: $0) } ?? failure.offset
            let sentence = Sentence.of(failure, next: offset < file.scalars.count ? file.scalars[offset] : nil)
            let here = file.character(at: offset)
            let beginning = SourceRange(file, offset: failure.contextOffset, length: 1)
            var range = here
            var related: [Related] = []
            switch sentence.pointer {
            case .here: break
            case .beginning: range = beginning
            case .both(let message): related = beginning == here ? [] : [Related(message, at: beginning)]
            }
            let line = file.offsets(ofLine: range.line)
            let isParameter = SourceRange(file, offset: line.lowerBound, end: line.upperBound).text.contains("${")
            let advice = isParameter ? "; a parameter stands in quotes: \"${params.name}\"" : ""
            self.init(
                sentence.code, sentence.message, at: .range(range), hint: sentence.hint + advice, related: related)
        }

        /// A look-alike of a mark in the lines that libyaml was reading, which is why it could not.
        private init?(lookAlikeAt failure: ParserFailure, in file: SourceFile) {
            guard failure.byteOffset == nil, !failure.problem.isEmpty else { return nil }
            let end = min(failure.offset, max(0, file.scalars.count - 1))
            let last = file.line(at: end)
            let lines = max(1, min(last - 1, file.line(at: min(failure.contextOffset, end))))...last
            for line in lines {
                let offsets = file.offsets(ofLine: line)
                guard let place = LookAlike.mark(in: file.scalars[offsets]) else { continue }
                let scalar = file.scalars[offsets.lowerBound + place]
                guard let (noun, plain) = LookAlike.meant(by: scalar) else { continue }
                let written = plain == " " ? "a blank" : "`\(plain)`"
                self.init(
                    .notYAML, "\(noun) stands where YAML needs \(written)",
                    at: .range(SourceRange(file, offset: offsets.lowerBound + place, length: 1)),
                    hint: plain == ":" ? "write `: `, with a blank" : "write \(written)")
                return
            }
            return nil
        }
    }
#endif
