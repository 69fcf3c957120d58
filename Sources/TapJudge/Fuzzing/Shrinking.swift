import TapField

/// Simplifies the run of a finding step by step, as long as the client behaves the same.
///
/// A step removes a fault, moves it to an earlier occurrence, removes an argument, or moves an argument closer to its default.
public struct Shrinking: Sendable {
    /// The maximum number of runs tried per finding; each is performed twice.
    public static let mostTries = 48

    /// The simplest run known to show the finding.
    public private(set) var run: FuzzRun
    public private(set) var tries = 0
    private let places: [FaultLocation]
    private var candidates: [FuzzRun]
    private var tried: Set<String>

    public init(_ run: FuzzRun, among places: [FaultLocation]) {
        self.run = run
        self.places = places
        tried = [run.name]
        candidates = Self.simpler(run, among: places)
    }

    /// Returns the next run to try; `nil` if none is left or the maximum is reached.
    public mutating func next() -> FuzzRun? {
        while tries < Self.mostTries, let candidate = candidates.first {
            candidates.removeFirst()
            guard tried.insert(candidate.name).inserted else { continue }
            tries += 1
            return candidate
        }
        return nil
    }

    public mutating func accept(_ simpler: FuzzRun) {
        run = simpler
        candidates = Self.simpler(simpler, among: places)
    }

    /// Returns simpler runs, starting with the ones that remove most.
    private static func simpler(_ run: FuzzRun, among places: [FaultLocation]) -> [FuzzRun] {
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

    /// Returns the first place, the middle one and the last one before a place, with the same command or call.
    private static func earlier(than place: FaultLocation, among places: [FaultLocation]) -> [FaultLocation] {
        let before = places.filter { $0.site == place.site && $0.number < place.number }
        guard !before.isEmpty else { return [] }
        return [before[0], before[before.count / 2], before[before.count - 1]]
    }
}

extension Shrinking {
    /// Returns the simplest run found in which the client behaves the same, after at most ``mostTries`` tries.
    public static func simplest<Failure: Error>(
        of entry: VerdictGrid.Entry, among places: [FaultLocation], until isOver: () -> Bool,
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
    /// The shortest runs of the causes that only the guided phase has found, or shows best.
    public var unshrunk: [Entry] {
        let names = Set((guided?.findings ?? []).map(\.run.name))
        return causes.map(\.shortest).filter { names.contains($0.run.name) }
    }
}

extension Fault {
    /// The same fault with one argument or one fixed field less, with fewer bytes, or with a number or time closer to its
    /// default.
    fileprivate var simpler: [Fault] {
        let values = Dictionary(uniqueKeysWithValues: arguments.written.map { ($0.name, $0.value) })
        let fewer = arguments.written.map { argument in
            Fault(kind, values.filter { $0.key != argument.name }, fix: Set(fix))
        }
        let nearer = arguments.written.flatMap { argument -> [Fault] in
            let parameter = kind.parameters.first { $0.name == argument.name }
            return (parameter?.nearer(argument.value) ?? []).map { value in
                Fault(kind, values.merging([argument.name: value]) { $1 }, fix: Set(fix))
            }
        }
        return fewer + fix.map { left in Fault(kind, values, fix: Set(fix.filter { $0 != left })) } + nearer
    }
}

extension FaultParameter {
    /// Returns a number or time between a value and the default, or half of the bytes and the first one.
    fileprivate func nearer(_ value: FaultValue) -> [FaultValue] {
        switch (kind, value) {
        case (.integer(let bounds), .integer(let number)):
            var standard = bounds.lowerBound
            if case .integer(let stated)? = self.standard { standard = stated }
            return Self.middle(number, standard).map { [.integer($0)] } ?? []
        case (.bytes(let counts), .bytes(let bytes)):
            let fewer = [bytes.count / 2, 1].filter { $0 < bytes.count && counts.contains($0) }
            return (fewer.first == fewer.last ? Array(fewer.prefix(1)) : fewer).map { .bytes(Array(bytes.prefix($0))) }
        case (.share(let bounds), .time(.percent(let share))):
            var standard = bounds.lowerBound
            if case .time(.percent(let stated))? = self.standard { standard = stated }
            return Self.middle(share, standard).map { [.time(.percent($0))] } ?? []
        case (.timeAmount, .time(.percent(let share))):
            guard case .time(.percent(let standard))? = self.standard else { return [] }
            return Self.middle(share, standard).map { [.time(.percent($0))] } ?? []
        case (.duration, .time(.duration(let time))), (.timeAmount, .time(.duration(let time))):
            var standard = Duration.zero
            if case .time(.duration(let stated))? = self.standard { standard = stated }
            let middle = Self.middle(Int(time / .microseconds(1)), Int(standard / .microseconds(1)))
            return middle.map { [.time(.duration(.microseconds($0)))] } ?? []
        default: return []
        }
    }

    /// Returns the midpoint; `nil` if nothing lies between.
    private static func middle(_ number: Int, _ standard: Int) -> Int? {
        let middle = standard + (number - standard) / 2
        return middle == number || middle == standard ? nil : middle
    }
}
