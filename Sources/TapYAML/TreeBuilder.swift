#if YAML
    import TapScenario

    /// Builds the tree from events, by recursion as deep as the limits allow.
    ///
    /// What YAML has beyond our part of it is reported and left out, so that a file shows all of it at once; where the
    /// text has no structure any more, building ends by an error.
    struct TreeBuilder: ~Copyable {
        var diagnostics: [Diagnostic] = []
        private let file: SourceFile
        private let limits: DocumentLimits
        private var parser: EventParser
        private var depth = 0
        private var nodeCount = 0

        init(_ file: SourceFile, _ limits: DocumentLimits) {
            self.file = file
            self.limits = limits
            parser = EventParser(file.bytes)
        }

        /// Reads the one document of the file.
        mutating func document() throws(Diagnostic) -> Node? {
            _ = try next()
            let start = try next()
            guard case .documentStart(let hasDirectives) = start.kind else { throw emptyFile }
            if hasDirectives {
                refuse(
                    "scenario files have no directives", at: file.line(start), "leave out the lines that begin with `%`"
                )
            }
            let node = try node(try next())
            _ = try next()
            let end = try next()
            if case .documentStart = end.kind {
                refuse("a second document begins here", at: file.line(end), "make a file of each")
            }
            if case .scalar(let scalar)? = node, scalar.isNothing { throw emptyFile }
            return node
        }

        private var emptyFile: Diagnostic {
            Diagnostic(.emptyFile, "the file is empty", at: .file(file), hint: "a scenario begins with `format: 1`")
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

        /// Builds the node an event begins; nothing where it was refused.
        private mutating func node(_ event: Event) throws(Diagnostic) -> Node? {
            let range = SourceRange(file, offset: event.offsets.lowerBound, end: event.offsets.upperBound)
            nodeCount += 1
            guard nodeCount <= limits.maximumNodes else { throw limits.tooMany(at: range) }
            checkProperties(of: event)
            switch event.kind {
            case .scalar(let text, let style):
                if style == .folded {
                    refuse(
                        "scenario files have no `>` blocks", at: file.word(at: range.offset), "write `|`, or one line")
                }
                let isBlock = style == .literal || style == .folded
                let place = isBlock ? file.withoutBlanksAtEnd(range) : range
                return .scalar(Scalar(text, form: Scalar.Form(style), range: place))
            case .alias:
                refuse(
                    "scenario files have no aliases", at: range, "write the value out; quote text that begins with `*`")
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
                refuse("scenario files have no anchors", at: word, "leave it out; quote text that begins with `&`")
            }
            if event.hasTag {
                refuse("scenario files have no tags", at: word, "leave it out; the key decides how a value is read")
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
                if let key, let duplicate = builder.append(key, value) { diagnostics.append(duplicate) }
            }
        }

        /// Reads a key, or reports why it is none.
        private mutating func key(_ event: Event) throws(Diagnostic) -> Scalar? {
            nodeCount -= 1
            guard let node = try node(event) else { return nil }
            guard case .scalar(let scalar) = node, scalar.form != .literal, !scalar.isNothing else {
                diagnostics.append(
                    Diagnostic(
                        .keyNotText, "a key is not text", at: Diagnostic.Place(node.range),
                        hint: "a key is one line of text in front of a `:`"))
                return nil
            }
            if scalar.text == "<<", scalar.form == .plain {
                refuse(
                    "scenario files have no merge keys", at: file.word(at: event.offsets.lowerBound),
                    "write the entries out")
                return nil
            }
            return scalar
        }

        /// The place of a list or map: to its closing bracket, or else to the end of what it holds.
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
        /// The line an event begins in.
        fileprivate func line(_ event: Event) -> SourceRange {
            let offsets = offsets(ofLine: line(at: event.offsets.lowerBound))
            return SourceRange(self, offset: offsets.lowerBound, end: offsets.upperBound)
        }

        /// A range up to its last character that is not blank.
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
#endif
