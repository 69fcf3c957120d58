import TapField

/// Makes the run of a finding simpler, step by step, as long as the client does the same.
///
/// A fault less, an earlier occurrence, an argument less or one nearer to its default.
public struct Shrinking: Sendable {
    /// How many runs are tried for a finding at most, each twice.
    public static let mostTries = 48

    /// The simplest run that is known to show it.
    public private(set) var run: FuzzRun
    public private(set) var tries = 0
    private let places: [FaultPlace]
    private var candidates: [FuzzRun]
    private var tried: Set<String>

    public init(_ run: FuzzRun, among places: [FaultPlace]) {
        self.run = run
        self.places = places
        tried = [run.name]
        candidates = Self.simpler(run, among: places)
    }

    /// The next run to try; nil where none is left or the bound is met.
    public mutating func next() -> FuzzRun? {
        while tries < Self.mostTries, let candidate = candidates.first {
            candidates.removeFirst()
            guard tried.insert(candidate.name).inserted else { continue }
            tries += 1
            return candidate
        }
        return nil
    }

    /// Goes on from a run in which the client did the same.
    public mutating func accept(_ simpler: FuzzRun) {
        run = simpler
        candidates = Self.simpler(simpler, among: places)
    }

    /// Simpler runs, those that leave out most first.
    private static func simpler(_ run: FuzzRun, among places: [FaultPlace]) -> [FuzzRun] {
        let injections = run.injections
        let fewer =
            injections.count < 2
            ? []
            : injections.indices.compactMap { index in
                FuzzRun(injections.enumerated().filter { $0.offset != index }.map(\.element))
            }
        return fewer
            + replacing(each: injections) { injection in
                earlier(than: injection.place, among: places).filter { $0.admits(injection.fault.kind) }
                    .map { FuzzRun.Injection(injection.fault, at: $0) }
            }
            + replacing(each: injections) { injection in
                injection.fault.simpler.map { FuzzRun.Injection($0, at: injection.place) }
            }
    }

    private static func replacing(
        each injections: [FuzzRun.Injection], by others: (FuzzRun.Injection) -> [FuzzRun.Injection]
    ) -> [FuzzRun] {
        injections.indices.flatMap { index in
            others(injections[index]).compactMap { other in
                var replaced = injections
                replaced[index] = other
                return FuzzRun(replaced)
            }
        }
    }

    /// The first place, the middle and the one before, with the same command or call.
    private static func earlier(than place: FaultPlace, among places: [FaultPlace]) -> [FaultPlace] {
        let before = places.filter { $0.site == place.site && $0.number < place.number }
        guard !before.isEmpty else { return [] }
        return [before[0], before[before.count / 2], before[before.count - 1]]
    }
}

extension Shrinking {
    /// The simplest run found in which the client does the same; at most ``mostTries`` are tried.
    public static func simplest<Failure: Error>(
        of entry: VerdictGrid.Entry, among places: [FaultPlace], until isOver: () -> Bool,
        _ make: (FuzzRun) async throws(Failure) -> VerdictGrid.Entry
    ) async throws(Failure) -> VerdictGrid.Entry {
        var shrinking = Shrinking(entry.run, among: places)
        var simplest = entry
        while !isOver(), let run = shrinking.next() {
            let other = try await make(run)
            guard other.cause == entry.cause else { continue }
            simplest = other
            shrinking.accept(run)
        }
        return simplest
    }
}

extension VerdictGrid {
    /// The shortest runs of the causes that the guided phase alone has found, or shows best.
    public var unshrunk: [Entry] {
        let names = Set((guided?.findings ?? []).map(\.run.name))
        return causes.map(\.shortest).filter { names.contains($0.run.name) }
    }
}

extension Fault {
    /// The same with an argument or a mended field less, or with a number nearer to its default.
    fileprivate var simpler: [Fault] {
        let values = Dictionary(uniqueKeysWithValues: arguments.written.map { ($0.name, $0.value) })
        let fewer = arguments.written.map { argument in
            Fault(kind, values.filter { $0.key != argument.name }, fix: Set(fix))
        }
        let nearer = arguments.written.compactMap { argument -> Fault? in
            guard let parameter = kind.parameters.first(where: { $0.name == argument.name }),
                let value = parameter.nearer(argument.value)
            else { return nil }
            return Fault(kind, values.merging([argument.name: value]) { $1 }, fix: Set(fix))
        }
        return fewer + fix.map { left in Fault(kind, values, fix: Set(fix.filter { $0 != left })) } + nearer
    }
}

extension FaultParameter {
    /// A value between one and the default; nil where there is none.
    fileprivate func nearer(_ value: FaultValue) -> FaultValue? {
        guard case .integer(let number) = value, case .integer(let bounds) = kind else { return nil }
        var standard = bounds.lowerBound
        if case .integer(let stated)? = self.standard { standard = stated }
        let middle = standard + (number - standard) / 2
        return middle == number || middle == standard ? nil : .integer(middle)
    }
}
