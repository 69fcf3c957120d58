import TapField
import TapWire

/// The runs that can be made of a case: the faults that fit the places of its clean run, with any arguments, one or
/// several at once.
///
/// A run is a row of choices, ``bytesPerFault`` for each fault: where, which, and its arguments. Every row is valid, and bytes
/// left over mean no fault, so a fuzzer of bytes makes runs of them as well as a generator does.
public struct FuzzSpace: Sendable {
    public static let maximumFaults = 4
    /// Two for the place, one for the fault, the rest for its arguments.
    public static let bytesPerFault = 16

    /// The places at which something can be injected, with what fits there.
    private let sites: [(place: FaultPlace, kinds: [FaultKind])]

    /// - Parameter runs: Runs of the systematic phase, by fault.
    public init(_ runs: [FuzzRun], _ places: [FaultPlace]) {
        var kinds: [FaultPlace: [FaultKind]] = [:]
        for run in runs where kinds[run.place]?.last?.name != run.fault.kind.name {
            kinds[run.place, default: []].append(run.fault.kind)
        }
        sites = places.compactMap { place in kinds[place].map { (place, $0) } }
    }

    public var isEmpty: Bool { sites.isEmpty }

    /// The run of a row of choices; nil for one without a fault.
    public func run(from bytes: [UInt8]) -> FuzzRun? {
        let count = min(bytes.count / Self.bytesPerFault, sites.isEmpty ? 0 : Self.maximumFaults)
        return FuzzRun(
            (0..<count).map { index in
                var choices = Choices(Array(bytes[index * Self.bytesPerFault..<(index + 1) * Self.bytesPerFault]))
                let site = sites[(Int(choices.byte()) << 8 | Int(choices.byte())) % sites.count]
                let kind = choices.pick(site.kinds)
                return FuzzRun.Injection(Fault(kind, drawnFrom: &choices, at: site.place.command), at: site.place)
            })
    }

    /// The row of choices of a run of the systematic phase; nil for others.
    func bytes(of run: FuzzRun) -> [UInt8]? {
        guard run.injections.count == 1, run.fault.fix.isEmpty,
            let site = sites.firstIndex(where: { $0.place == run.place }),
            let kind = sites[site].kinds.firstIndex(where: { $0.name == run.fault.kind.name }),
            let variant = run.fault.kind.variants.firstIndex(where: { Fault(run.fault.kind, $0) == run.fault })
        else { return nil }
        let head = [UInt8(truncatingIfNeeded: site >> 8), UInt8(truncatingIfNeeded: site), UInt8(kind), UInt8(variant)]
        return head + Array(repeating: 0, count: Self.bytesPerFault - head.count)
    }
}

extension FaultPlace {
    /// The command at an exchange.
    fileprivate var command: CommandName? { if case .exchange(let command) = site { command } else { nil } }
}
