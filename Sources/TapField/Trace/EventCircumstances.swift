/// What there is to say about an event beside what happened and when; of most events, nothing.
enum EventCircumstances: Hashable, Sendable {
    case usual
    /// The line that made it happen, whether a clock outside decided when, and the reader at which it happened.
    indirect case told(source: SourceReference?, isMeasured: Bool, reader: String?)

    @inline(__always)
    init(source: SourceReference?, isMeasured: Bool, reader: String?) {
        let isUsual = source == nil && !isMeasured && reader == nil
        self = isUsual ? .usual : .told(source: source, isMeasured: isMeasured, reader: reader)
    }

    var source: SourceReference? {
        if case .told(let source, _, _) = self { source } else { nil }
    }

    var isMeasured: Bool {
        if case .told(_, let isMeasured, _) = self { isMeasured } else { false }
    }

    var reader: String? {
        if case .told(_, _, let reader) = self { reader } else { nil }
    }
}
