import TapWire

extension Fault {
    /// Creates a fault of a kind with arguments drawn from choices: a variant, or values of its parameters, preferably at their
    /// bounds.
    ///
    /// When no choices are left, the result is the first variant.
    ///
    /// - Parameters:
    ///   - kind: The kind of the fault.
    ///   - choices: The choices to draw from.
    ///   - command: The command whose answer's integrity fields may be fixed, if any.
    public init(_ kind: FaultKind, drawnFrom choices: inout Choices, at command: CommandName? = nil) {
        let shape = choices.number(below: kind.variants.count + Self.drawnShapes)
        guard shape >= kind.variants.count else {
            self.init(kind, kind.variants[shape])
            return
        }
        var arguments: [String: FaultValue] = [:]
        for parameter in kind.parameters {
            arguments[parameter.name] = parameter.draw(&choices)
        }
        self.init(kind, arguments, fix: Fix.drawn(from: &choices, for: kind, at: command))
    }

    /// The number of outcomes, in addition to the variants, for which arguments are drawn.
    fileprivate static let drawnShapes = 2
}

extension FaultKind {
    /// The choices that produce each telling value at each telling position; empty for a fault that does not edit bytes.
    package var preferredEdits: [[UInt8]] {
        guard editsBytes, let place = parameters.first(where: { $0.name == ByteEdit.placeName }) else { return [] }
        let shape = Choices.bytes(choosing: variants.count, below: variants.count + Fault.drawnShapes)
        let values = parameters.filter { ByteEdit.valueNames.contains($0.name) }
        let told = values.flatMap { value in value.preferred.indices.map { [value.name: $0] } }
        return place.preferred.indices.flatMap { at in
            // Without a value, 1 is added.
            ([[:]] + told).map { told in
                shape + parameters.flatMap { $0.choices(preferred: $0.name == place.name ? at : told[$0.name]) }
            }
        }
    }
}

extension Fault.Fix {
    fileprivate static func drawn(
        from choices: inout Choices, for kind: FaultKind, at command: CommandName?
    ) -> Set<Fault.Fix> {
        guard let command, kind.effect.changesAnswers, choices.oneIn(2) else { return [] }
        return Set(allCases.filter { $0.fits(command, kind) && choices.oneIn(2) })
    }
}

extension FaultParameter {
    /// Draws a value, or `nil` for the default.
    fileprivate func draw(_ choices: inout Choices) -> FaultValue? {
        guard choices.number(below: 3) > 0 else { return nil }
        guard preferred.isEmpty || choices.oneIn(4) else { return choices.pick(preferred) }
        switch kind {
        case .integer(let bounds):
            var near = [0, 1, 0x7F, 0x80, 0xFF]
            if case .integer(let number)? = standard { near += [number - 1, number + 1] }
            return .integer(bounds.draw(&choices, near: near))
        case .share(let bounds): return .time(.percent(bounds.draw(&choices, near: [0, 50, 99, 100, 101])))
        case .bytes(let counts):
            let count = (counts.lowerBound...min(counts.upperBound, Self.mostBytes)).draw(&choices, near: [])
            return .bytes((0..<count).map { _ in choices.byte() })
        case .duration: return .time(.duration(choices.pick(Self.durations)))
        case .timeAmount: return .time(choices.pick(Self.durations.map { .duration($0) } + Self.shares))
        case .keyword(let words): return .keyword(choices.pick(words))
        case .flag: return .flag(choices.oneIn(2))
        // There may be no other card.
        case .card: return nil
        }
    }

    /// The choices that draw one of the telling values, or the default.
    fileprivate func choices(preferred index: Int?) -> [UInt8] {
        index.map { [1, 0] + Choices.bytes(choosing: $0, below: preferred.count) } ?? [0]
    }

    /// The capacity of a frame.
    private static let mostBytes = 64
    private static let durations: [Duration] = [
        .zero, .microseconds(1), .milliseconds(1), .milliseconds(100), .seconds(1), .seconds(5),
    ]
    private static let shares: [TimeAmount] = [0, 50, 99, 100, 101, 1_000].map { .percent($0) }
}

extension ClosedRange<Int> {
    /// Draws a bound, a number next to a bound, one of the given numbers, or any other number.
    fileprivate func draw(_ choices: inout Choices, near given: [Int]) -> Int {
        let edges = ([lowerBound, lowerBound + 1, upperBound - 1, upperBound] + given).filter(contains)
        let place = choices.number(below: edges.count + Swift.max(1, edges.count / 2))
        guard place >= edges.count else { return edges[place] }
        return lowerBound + choices.number(below: Swift.min(count, Self.mostNumbers))
    }

    /// The number of values that two bytes can express.
    private static var mostNumbers: Int { 1 << 16 }
}
