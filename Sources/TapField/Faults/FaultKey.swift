/// A parameter of a fault, declared once: its form in files and its value for effects.
struct FaultKey<Value>: AnyFaultKey {
    let parameter: FaultParameter
    private let read: @Sendable (FaultValue?) -> Value

    private init(
        _ name: String, _ kind: FaultParameter.Kind, default value: FaultValue?, _ summary: String,
        read: @escaping @Sendable (FaultValue?) -> Value
    ) {
        self.init(FaultParameter(name, kind, value, summary), read: read)
    }

    private init(_ parameter: FaultParameter, read: @escaping @Sendable (FaultValue?) -> Value) {
        self.parameter = parameter
        self.read = read
    }

    func value(of written: FaultValue?) -> Value { read(written) }

    func map<New>(_ convert: @escaping @Sendable (Value) -> New) -> FaultKey<New> {
        FaultKey<New>(parameter) { [read] in convert(read($0)) }
    }

    /// Returns the same parameter with values to draw more often than others.
    func preferring(_ values: some Sequence<some FaultStatable>) -> Self {
        let values = values.map(\.stated)
        return Self(
            FaultParameter(parameter.name, parameter.kind, parameter.standard, parameter.summary, preferred: values),
            read: read)
    }
}

protocol AnyFaultKey: Sendable {
    var parameter: FaultParameter { get }
}

protocol FaultStatable: Sendable {
    /// Returns `nil` for a value of another kind, which no validated fault has.
    static func read(_ stated: FaultValue) -> Self?
    var stated: FaultValue { get }
}

extension FaultKey where Value: FaultStatable {
    init(_ name: String, _ kind: FaultParameter.Kind, default value: Value, _ summary: String) {
        self.init(name, kind, default: value.stated, summary) { $0.flatMap(Value.read) ?? value }
    }
}

extension FaultKey {
    /// Creates a parameter without a default, whose summary describes what omitting it means.
    init<Stated: FaultStatable>(_ name: String, _ kind: FaultParameter.Kind, _ summary: String)
    where Value == Stated? {
        self.init(name, kind, default: nil, summary) { $0.flatMap(Stated.read) }
    }

    init(_ name: String, words: [(String, Value)], default value: (String, Value), _ summary: String)
    where Value: Sendable {
        self.init(name, .keyword(words.map(\.0)), default: .keyword(value.0), summary) {
            Self.value($0, of: words) ?? value.1
        }
    }

    init<Word: Sendable>(_ name: String, words: [(String, Word)], _ summary: String) where Value == Word? {
        self.init(name, .keyword(words.map(\.0)), default: nil, summary) { FaultKey<Word>.value($0, of: words) }
    }

    private static func value(_ written: FaultValue?, of words: [(String, Value)]) -> Value? {
        written.flatMap(String.read).flatMap { word in words.first { $0.0 == word }?.1 }
    }
}

extension FaultKey where Value: RawRepresentable<String> & CaseIterable & Sendable {
    init(_ name: String, default value: Value, _ summary: String) {
        let words = Value.allCases.map { ($0.rawValue, $0) }
        self.init(name, words: words, default: (value.rawValue, value), summary)
    }
}

extension FaultArguments {
    /// The argument, the default, or `nil` if omitting it has a meaning.
    subscript<Value>(key: FaultKey<Value>) -> Value {
        key.value(of: written.first { $0.name == key.parameter.name }?.value)
    }
}

extension FaultParameter.Kind {
    func accepts(_ value: FaultValue) -> Bool {
        switch (self, value) {
        case (.integer(let bounds), .integer(let number)): bounds.contains(number)
        case (.bytes(let counts), .bytes(let bytes)): counts.contains(bytes.count)
        case (.share(let bounds), .time(.percent(let share))): bounds.contains(share)
        case (.keyword(let words), .keyword(let word)): words.contains(word)
        case (.duration, .time(.duration)), (.timeAmount, .time), (.flag, .flag), (.card, .keyword): true
        default: false
        }
    }
}

extension Int: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? { if case .integer(let number) = stated { number } else { nil } }
    var stated: FaultValue { .integer(self) }
}

extension [UInt8]: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? { if case .bytes(let bytes) = stated { bytes } else { nil } }
    var stated: FaultValue { .bytes(self) }
}

extension UInt8: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? {
        if case .bytes(let bytes) = stated, bytes.count == 1 { bytes[0] } else { nil }
    }
    var stated: FaultValue { .bytes([self]) }
}

extension Bool: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? { if case .flag(let flag) = stated { flag } else { nil } }
    var stated: FaultValue { .flag(self) }
}

extension String: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? { if case .keyword(let word) = stated { word } else { nil } }
    var stated: FaultValue { .keyword(self) }
}

extension Duration: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? {
        if case .time(.duration(let duration)) = stated { duration } else { nil }
    }
    var stated: FaultValue { .time(.duration(self)) }
}

extension TimeAmount: FaultStatable {
    static func read(_ stated: FaultValue) -> Self? { if case .time(let amount) = stated { amount } else { nil } }
    var stated: FaultValue { .time(self) }
}

struct Percentage: FaultStatable {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    static func read(_ stated: FaultValue) -> Self? {
        if case .time(.percent(let share)) = stated { Percentage(share) } else { nil }
    }
    var stated: FaultValue { .time(.percent(value)) }
}
