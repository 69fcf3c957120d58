#if YAML
    import CLibYAML

    /// One event of libyaml, copied out of its memory.
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

    /// What libyaml says when it cannot go on.
    struct ParserFailure: Error {
        /// The sentence of libyaml, from which ours is looked up; empty where memory ran out.
        let problem: String
        /// What it was reading, as it says it.
        let context: String
        /// Where it stopped, in Unicode scalars.
        let offset: Int
        /// Where what it was reading began.
        let contextOffset: Int
        /// Where it stopped, in bytes, if it could not read characters.
        let byteOffset: Int?
    }

    /// The event parser of libyaml and the memory it works on, freed with the value.
    ///
    /// It hides the unsafe lines of YAML: events leave it as copies.
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

        /// The next event; after the end of the stream it must not be called again.
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
#endif
