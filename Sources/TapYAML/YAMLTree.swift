#if YAML
    import TapDocument
    import CLibYAML

    /// A libyaml event, copied out of libyaml's memory.
    struct Event {
        enum Kind {
            case streamStart
            case streamEnd
            case documentStart(hasDirectives: Bool)
            case documentEnd
            case alias
            case scalar(text: String, style: Style)
            case listStart
            case listEnd
            case mapStart
            case mapEnd
        }

        enum Style {
            case plain
            case quoted
            case literal
            case folded
        }

        let kind: Kind
        /// Offsets in Unicode scalars.
        let offsets: Range<Int>
        let hasAnchor: Bool
        let hasTag: Bool
    }

    struct ParserFailure: Error {
        /// The message of libyaml, which selects ours; empty if memory ran out.
        let problem: String
        /// The description of what libyaml was reading, in its words.
        let context: String
        /// The offset at which it stopped, in Unicode scalars.
        let offset: Int
        /// The offset at which the construct it was reading began, in Unicode scalars.
        let contextOffset: Int
        /// The offset at which it stopped in bytes, if it could not decode characters.
        let byteOffset: Int?
    }

    /// The event parser of libyaml with its memory, which is freed with the value.
    ///
    /// It encapsulates the unsafe part of YAML: events leave it as copies.
    @safe
    struct EventParser: ~Copyable {
        private let parser: UnsafeMutablePointer<yaml_parser_t>
        private let input: UnsafeMutableBufferPointer<UInt8>
        private let isReady: Bool

        init(_ bytes: [UInt8]) {
            unsafe input = .allocate(capacity: max(1, bytes.count))
            _ = unsafe input.initialize(from: bytes)
            unsafe parser = .allocate(capacity: 1)
            unsafe parser.initialize(to: yaml_parser_t())
            isReady = unsafe yaml_parser_initialize(parser) == 1
            guard isReady else { return }
            unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            unsafe yaml_parser_set_input_string(parser, UnsafePointer(input.baseAddress), bytes.count)
        }

        deinit {
            if isReady { unsafe yaml_parser_delete(parser) }
            unsafe parser.deallocate()
            unsafe input.deallocate()
        }

        /// The next event; must not be called again after the end of the stream.
        mutating func next() throws(ParserFailure) -> Event {
            var event = unsafe yaml_event_t()
            guard isReady, unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
            defer { unsafe yaml_event_delete(&event) }
            return unsafe Event(event)
        }

        private var failure: ParserFailure {
            guard isReady, let problem = unsafe parser.pointee.problem else {
                return ParserFailure(problem: "", context: "", offset: 0, contextOffset: 0, byteOffset: nil)
            }
            let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) } ?? ""
            let isReading = unsafe parser.pointee.error == YAML_READER_ERROR
            return unsafe ParserFailure(
                problem: String(cString: problem), context: context,
                offset: Int(parser.pointee.problem_mark.index),
                contextOffset: Int(parser.pointee.context_mark.index),
                byteOffset: isReading ? Int(parser.pointee.problem_offset) : nil)
        }
    }

    extension Event {
        fileprivate init(_ event: yaml_event_t) {
            var anchor: UnsafeMutablePointer<yaml_char_t>?
            var tag: UnsafeMutablePointer<yaml_char_t>?
            switch unsafe event.type {
            case YAML_STREAM_START_EVENT: kind = .streamStart
            case YAML_DOCUMENT_START_EVENT:
                let start = unsafe event.data.document_start
                let hasTags = unsafe start.tag_directives.start != start.tag_directives.end
                kind = .documentStart(hasDirectives: unsafe start.version_directive != nil || hasTags)
            case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
            case YAML_ALIAS_EVENT: kind = .alias
            case YAML_SCALAR_EVENT:
                let scalar = unsafe event.data.scalar
                unsafe (anchor, tag) = unsafe (scalar.anchor, scalar.tag)
                let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
                kind = .scalar(text: unsafe String(decoding: bytes, as: UTF8.self), style: Style(unsafe scalar.style))
            case YAML_SEQUENCE_START_EVENT:
                unsafe (anchor, tag) = unsafe (event.data.sequence_start.anchor, event.data.sequence_start.tag)
                kind = .listStart
            case YAML_SEQUENCE_END_EVENT: kind = .listEnd
            case YAML_MAPPING_START_EVENT:
                unsafe (anchor, tag) = unsafe (event.data.mapping_start.anchor, event.data.mapping_start.tag)
                kind = .mapStart
            case YAML_MAPPING_END_EVENT: kind = .mapEnd
            default: kind = .streamEnd
            }
            let start = Int(unsafe event.start_mark.index)
            offsets = start..<max(start, Int(unsafe event.end_mark.index))
            hasAnchor = unsafe anchor != nil
            hasTag = unsafe tag != nil
        }
    }

    extension Event.Style {
        fileprivate init(_ style: yaml_scalar_style_t) {
            switch style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .quoted
            case YAML_LITERAL_SCALAR_STYLE: self = .literal
            case YAML_FOLDED_SCALAR_STYLE: self = .folded
            default: self = .plain
            }
        }
    }

    /// Builds the tree from events, recursively within the limits.
    ///
    /// Unsupported YAML features are reported and skipped, so that a file shows all of them at once. If the text has no
    /// recoverable structure, building ends with an error.
    struct TreeBuilder: ~Copyable {
        var diagnostics: [Diagnostic] = []
        private let file: SourceFile
        private let limits: DocumentLimits
        private var parser: EventParser
        private var depth = 0
        private var nodeCount = 0
        /// A Boolean value that indicates whether the value of a merge key is next, which needs no error of its own.
        private var isMerging = false
        /// A Boolean value that indicates whether the tree lacks what an alias or a merge key stands for.
        private var lacksContent = false

        init(_ file: SourceFile, _ limits: DocumentLimits) {
            self.file = file
            self.limits = limits
            parser = EventParser(file.bytes)
        }

        mutating func document() throws(Diagnostic) -> Node? {
            _ = try next()
            let start = try next()
            guard case .documentStart(let hasDirectives) = start.kind else { throw emptyFile }
            if hasDirectives {
                refuse(
                    "directives are not supported", at: file.line(start), "remove the lines that start with `%`"
                )
            }
            let node = try node(try next())
            _ = try next()
            let end = try next()
            if case .documentStart = end.kind {
                refuse("a second document starts here", at: file.line(end), "use a separate file for each document")
            }
            if case .scalar(let scalar)? = node, scalar.isNothing { throw emptyFile }
            // Errors about missing content would follow from errors that are already reported.
            return lacksContent ? nil : node
        }

        private var emptyFile: Diagnostic {
            Diagnostic(.emptyFile, "the file is empty", at: .file(file), hint: "a scenario starts with `format: 1`")
        }

        private mutating func next() throws(Diagnostic) -> Event {
            do {
                return try parser.next()
            } catch {
                throw Diagnostic(error, in: file)
            }
        }

        private mutating func refuse(_ message: String, at range: SourceRange, _ hint: String) {
            diagnostics.append(Diagnostic(.yamlFeature, message, at: .range(range), hint: hint))
        }

        /// Builds the node that starts with an event, or returns `nil` if it was rejected.
        private mutating func node(_ event: Event) throws(Diagnostic) -> Node? {
            let range = SourceRange(file, offset: event.offsets.lowerBound, end: event.offsets.upperBound)
            nodeCount += 1
            guard nodeCount <= limits.maximumNodes else { throw limits.tooMany(at: range) }
            checkProperties(of: event)
            switch event.kind {
            case .scalar(let text, let style):
                if style == .folded {
                    refuse(
                        "`>` blocks are not supported", at: file.word(at: range.offset), "write `|`, or one line")
                }
                let isBlock = style == .literal || style == .folded
                let place = isBlock ? file.withoutBlanksAtEnd(range) : range
                return .scalar(Scalar(text, form: Scalar.Form(style), range: place))
            case .alias:
                lacksContent = true
                guard !isMerging else { return nil }
                refuse(
                    "aliases are not supported", at: range, "write the value out; quote text that starts with `*`")
                return nil
            case .listStart: return try list(at: range)
            case .mapStart: return try map(at: range)
            default: return nil
            }
        }

        private mutating func checkProperties(of event: Event) {
            guard event.hasAnchor || event.hasTag else { return }
            let word = file.word(at: event.offsets.lowerBound)
            if event.hasAnchor {
                refuse("anchors are not supported", at: word, "remove it; quote text that starts with `&`")
            }
            if event.hasTag {
                refuse("tags are not supported", at: word, "remove it; the key determines the type of the value")
            }
        }

        private mutating func enter(_ range: SourceRange) throws(Diagnostic) {
            depth += 1
            guard depth <= limits.maximumDepth else { throw limits.tooDeep(at: range) }
        }

        private mutating func list(at start: SourceRange) throws(Diagnostic) -> Node {
            try enter(start)
            var items: [Node] = []
            while true {
                let event = try next()
                if case .listEnd = event.kind {
                    depth -= 1
                    return .list(NodeList(items, range: whole(start, event, last: items.last?.range)))
                }
                if let item = try node(event) { items.append(item) }
            }
        }

        private mutating func map(at start: SourceRange) throws(Diagnostic) -> Node {
            try enter(start)
            var builder = NodeMap.Builder()
            while true {
                let event = try next()
                if case .mapEnd = event.kind {
                    depth -= 1
                    return .map(builder.map(at: whole(start, event, last: builder.lastRange)))
                }
                let key = try key(event)
                let value = try node(try next())
                isMerging = false
                if let key, let duplicate = builder.append(key, value) { diagnostics.append(duplicate) }
            }
        }

        /// Reads a key, or reports why it is invalid.
        private mutating func key(_ event: Event) throws(Diagnostic) -> Scalar? {
            nodeCount -= 1
            guard let node = try node(event) else { return nil }
            guard case .scalar(let scalar) = node, scalar.form != .literal, !scalar.isNothing else {
                diagnostics.append(
                    Diagnostic(
                        .keyNotText, "a key is not text", at: Diagnostic.Place(node.range),
                        hint: "a key is one line of text before a `:`"))
                return nil
            }
            if scalar.form == .plain, scalar.text.unicodeScalars.first == "\u{3000}" {
                let count = scalar.text.unicodeScalars.prefix { $0 == "\u{3000}" }.count
                throw Diagnostic(
                    .notYAML, "an ideographic space (U+3000) instead of a space",
                    at: .range(SourceRange(file, offset: event.offsets.lowerBound, length: count)),
                    hint: "indent with spaces")
            }
            if scalar.text == "<<", scalar.form == .plain {
                (isMerging, lacksContent) = (true, true)
                refuse(
                    "merge keys are not supported", at: file.word(at: event.offsets.lowerBound),
                    "write the entries out")
                return nil
            }
            return scalar
        }

        /// The range of a list or map: to its closing bracket, otherwise to the end of its content.
        private func whole(_ start: SourceRange, _ end: Event, last: SourceRange?) -> SourceRange {
            let opening = start.offset < file.scalars.count ? file.scalars[start.offset] : " "
            let isBracketed = opening == "[" || opening == "{"
            let end = isBracketed ? end.offsets.upperBound : last?.end ?? start.end
            return SourceRange(file, offset: start.offset, end: max(end, start.end))
        }
    }

    extension Scalar.Form {
        fileprivate init(_ style: Event.Style) {
            switch style {
            case .plain: self = .plain
            case .quoted: self = .quoted
            case .literal, .folded: self = .literal
            }
        }
    }

    extension SourceFile {
        fileprivate func line(_ event: Event) -> SourceRange {
            let offsets = offsets(ofLine: line(at: event.offsets.lowerBound))
            return SourceRange(self, offset: offsets.lowerBound, end: offsets.upperBound)
        }

        /// A range without trailing blanks.
        fileprivate func withoutBlanksAtEnd(_ range: SourceRange) -> SourceRange {
            let last = scalars[range.offset..<range.end].lastIndex { !$0.properties.isWhitespace }
            return SourceRange(self, offset: range.offset, end: (last ?? range.offset) + 1)
        }

        /// The characters from an offset to the next blank or bracket.
        fileprivate func word(at offset: Int) -> SourceRange {
            let line = offsets(ofLine: line(at: offset))
            let ends: Set<Unicode.Scalar> = [" ", "\t", ",", "[", "]", "{", "}"]
            let end = scalars[min(offset, line.upperBound)..<line.upperBound].firstIndex { ends.contains($0) }
            return SourceRange(self, offset: offset, end: max(end ?? line.upperBound, offset + 1))
        }
    }

    /// Our messages for errors of libyaml.
    ///
    /// libyaml distinguishes its errors only by their texts, which are therefore the keys of the tables. A text in neither
    /// table gets a general message.
    private struct Sentence {
        enum Pointer {
            /// The location where libyaml stopped.
            case here
            /// The beginning of the construct that it was reading.
            case beginning
            /// The location where it stopped and, in addition, the beginning of the construct.
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

        static let tab = Sentence("tab in the indentation", "indent with spaces")
        static let openQuote = Sentence("this quote is never closed", "add the closing quote", .beginning)
        static let anchor = Sentence(
            "anchors and aliases are not supported", "quote text that starts with `&` or `*`", .beginning,
            code: .yamlFeature)
        static let tag = Sentence(
            "tags are not supported", "quote text that starts with `!`", .beginning, code: .yamlFeature)
        static let directive = Sentence(
            "directives are not supported", "quote text that starts with `%`", .beginning, code: .yamlFeature)

        /// Messages by the construct that libyaml was reading.
        static let byContext: [String: Sentence] = [
            "while scanning an anchor": anchor, "while scanning an alias": anchor,
            "while scanning a tag": tag, "while parsing a tag": tag,
            "while scanning a directive": directive, "while scanning a %YAML directive": directive,
            "while scanning a %TAG directive": directive, "while parsing a %TAG directive": directive,
            "while parsing a tag directive": directive,
        ]

        /// Messages by the problem that it found.
        static let byProblem: [String: Sentence] = [
            "mapping values are not allowed in this context": Sentence(
                "unexpected `:`",
                "quote text that contains `: `; align the keys of a map"),
            "mapping keys are not allowed in this context": Sentence(
                "unexpected `?`", "quote text that starts with `? `"),
            "block sequence entries are not allowed in this context": Sentence(
                "unexpected list item", "start the list on its own line, or write `[…]`"),
            "could not find expected ':'": Sentence(
                "a `:` is missing after this key", "write `key: value`, with a space", .beginning),
            "did not find expected key": Sentence(
                "expected a key of the map", "align the keys of a map",
                .both("the map starts here")),
            "did not find expected '-' indicator": Sentence(
                "expected an item of the list", "align the items of a list",
                .both("the list starts here")),
            "did not find expected ',' or ']'": Sentence(
                "a `,` or `]` is missing", "add one of them", .both("the list starts here")),
            "did not find expected ',' or '}'": Sentence(
                "a `,` or `}` is missing", "add one of them", .both("the map starts here")),
            "did not find expected node content": Sentence("a value is missing", "add a value"),
            "did not find expected <document start>": Sentence(
                "text outside the document", "a file contains one map with all keys in the first column"),
            "found character that cannot start any token": Sentence(
                "text cannot start with this character", "quote the text"),
            "found unexpected ':'": Sentence("unexpected `:` in this text", "quote the text"),
            "found unexpected end of stream": openQuote, "found unexpected document indicator": openQuote,
            "found unknown escape character": Sentence(
                "unknown escape sequence", "write `\\\\` for a backslash, or use single quotes"),
            "did not find expected hexdecimal number": Sentence(
                "incomplete escape sequence", "`\\x` has two hexadecimal digits, `\\u` four, `\\U` eight"),
            "found invalid Unicode character escape code": Sentence(
                "invalid escape sequence", "surrogates and numbers above 10FFFF are not characters"),
            "found a tab character where an indentation space is expected": tab,
            "found a tab character that violates indentation": tab,
            "found an indentation indicator equal to 0": Sentence(
                "a block must be indented", "write `|` alone"),
            "did not find expected comment or line break": Sentence(
                "text after the `|` of a block", "start the text on the next line"),
            "control characters are not allowed": Sentence(
                "control character in the file", "remove it, or write it as an escape in double quotes"),
        ]

        static let unknown = Sentence(
            "invalid YAML", "check the indentation, quotes and brackets around it")

        /// The message for a failure; `next` is the character at which it stopped.
        static func of(_ failure: ParserFailure, next: Unicode.Scalar?) -> Sentence {
            if failure.problem.isEmpty {
                return Sentence("not enough memory to read the file", "", code: .limitExceeded)
            }
            if next == "\t", failure.problem == "found character that cannot start any token" { return tab }
            return byContext[failure.context] ?? byProblem[failure.problem] ?? unknown
        }
    }

    extension Diagnostic {
        /// Creates our error for an error of libyaml.
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
            let advice = isParameter ? "; quote parameters: \"${params.name}\"" : ""
            self.init(
                sentence.code, sentence.message, at: .range(range), hint: sentence.hint + advice, related: related)
        }

        /// Creates an error about a look-alike of a YAML mark in the lines that libyaml was reading, which explains its
        /// failure.
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
                let written = plain == " " ? "a space" : "`\(plain)`"
                self.init(
                    .notYAML, "\(noun) instead of \(written)",
                    at: .range(SourceRange(file, offset: offsets.lowerBound + place, length: 1)),
                    hint: plain == ":" ? "write `: `, with a space" : "write \(written)")
                return
            }
            return nil
        }
    }
#endif
