import TapField
import TapWire

/// The runs that can be made of a case: the faults that fit the places of its baseline run, with any arguments, one or
/// several at once.
///
/// A run is a row of choices, ``bytesPerFault`` for each fault: where, which, and its arguments. Every row is valid, and bytes
/// left over mean no fault, so a fuzzer of bytes makes runs of them as well as a generator does.
public struct FuzzSpace: Sendable {
    public static let maximumFaults = 4
    /// The first ones for fault and place, the rest for arguments.
    public static let bytesPerFault = 16
    static let longestRow = maximumFaults * bytesPerFault
    /// Whether bytes are the choices of faults, none of them left over.
    static func isRow(_ bytes: [UInt8]) -> Bool {
        (bytesPerFault...longestRow).contains(bytes.count) && bytes.count.isMultiple(of: bytesPerFault)
    }

    /// At how many places, from the first on, each telling edit is made: a long dump sends the same command at later ones.
    private static let mostEditedPlaces = 64

    private struct Option {
        let kind: FaultKind
        /// Where it can be injected, in the order of the baseline run.
        var places: [FaultPlace]
    }

    /// What can be injected; the more there is to set about a fault, the more often it is drawn.
    private let options: [Option]

    /// - Parameter runs: Runs of the systematic phase, by fault.
    public init(_ runs: [FuzzRun]) {
        var options: [Option] = []
        for run in runs {
            let isNew = options.last?.kind.name != run.fault.kind.name
            var option = isNew ? Option(kind: run.fault.kind, places: []) : options.removeLast()
            if !option.places.contains(run.place) { option.places.append(run.place) }
            options.append(option)
        }
        self.options = options.flatMap { Array(repeating: $0, count: 1 + $0.kind.parameters.count) }
    }

    public var isEmpty: Bool { options.isEmpty }

    /// The run of a row of choices; `nil` for one without a fault.
    public func run(from bytes: [UInt8]) -> FuzzRun? {
        let count = min(bytes.count / Self.bytesPerFault, isEmpty ? 0 : Self.maximumFaults)
        return FuzzRun(
            (0..<count).map { index in
                var choices = Choices(Array(bytes[index * Self.bytesPerFault..<(index + 1) * Self.bytesPerFault]))
                let option = choices.pick(options)
                let place = choices.pick(option.places)
                return FuzzRun.Injection(Fault(option.kind, drawnFrom: &choices, at: place.command), at: place)
            })
    }

    /// Rows of one fault each that puts lengths, counts and types at their bounds where headers have them.
    package var tellingEdits: [[UInt8]] {
        var rows: [[UInt8]] = []
        var kinds: Set<String> = []
        for (index, option) in options.enumerated() where kinds.insert(option.kind.name).inserted {
            let edits = option.kind.tellingEdits
            for place in option.places.indices.prefix(Self.mostEditedPlaces) {
                let head =
                    Choices.bytes(choosing: index, below: options.count)
                    + Choices.bytes(choosing: place, below: option.places.count)
                rows += edits.map { Self.row(head + $0) }
            }
        }
        return rows
    }

    private static func row(_ choices: [UInt8]) -> [UInt8] {
        choices + Array(repeating: 0, count: bytesPerFault - choices.count)
    }

    /// The row of choices of a run of the systematic phase; `nil` for others.
    func bytes(of run: FuzzRun) -> [UInt8]? {
        guard run.injections.count == 1, run.fault.fix.isEmpty,
            let option = options.firstIndex(where: { $0.kind.name == run.fault.kind.name }),
            let place = options[option].places.firstIndex(of: run.place),
            let variant = run.fault.kind.variants.firstIndex(where: { Fault(run.fault.kind, $0) == run.fault })
        else { return nil }
        return Self.row(
            Choices.bytes(choosing: option, below: options.count)
                + Choices.bytes(choosing: place, below: options[option].places.count) + [UInt8(variant)])
    }
}

extension FaultPlace {
    /// The command at an exchange.
    fileprivate var command: CommandName? { if case .exchange(let command) = site { command } else { nil } }
}
