import TapField
import TapWire

/// The runs that are possible for a case: the faults that fit the places of its baseline run, with any arguments, alone or
/// combined.
///
/// A run is a row of choices, ``bytesPerFault`` bytes for each fault: the place, the fault and its arguments. Every row is
/// valid, and left-over bytes mean no fault, so a byte fuzzer can create runs as well as a generator can.
public struct FuzzSpace: Sendable {
    public static let maximumFaults = 4
    /// The number of bytes per fault: the first ones select the fault and the place, the rest the arguments.
    public static let bytesPerFault = 16
    static let longestRow = maximumFaults * bytesPerFault
    /// Returns whether bytes are the choices of whole faults, with no bytes left over.
    static func isRow(_ bytes: [UInt8]) -> Bool {
        (bytesPerFault...longestRow).contains(bytes.count) && bytes.count.isMultiple(of: bytesPerFault)
    }

    /// The number of places, from the first on, for each boundary edit: in a long dump, later places have the same command.
    private static let mostEditedPlaces = 64

    private struct Option {
        let kind: FaultKind
        var places: [FaultLocation]
    }

    /// The faults to draw from; a fault with more parameters is drawn more often.
    private let options: [Option]

    /// - Parameter runs: The runs of the systematic phase, grouped by fault.
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

    /// Returns the run for a row of choices; `nil` if the row contains no fault.
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

    /// Rows with one fault each that sets lengths, counts and types in headers to their bounds.
    package var preferredEdits: [[UInt8]] {
        var rows: [[UInt8]] = []
        var kinds: Set<String> = []
        for (index, option) in options.enumerated() where kinds.insert(option.kind.name).inserted {
            let edits = option.kind.preferredEdits
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

    /// Returns the row of choices for a run of the systematic phase; `nil` for other runs.
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

extension FaultLocation {
    /// The command at an exchange.
    var command: CommandName? { if case .exchange(let command) = site { command } else { nil } }
}
