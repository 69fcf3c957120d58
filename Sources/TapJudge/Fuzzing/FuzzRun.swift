import TapField
import TapScenario
import TapWire

/// A run of a campaign: its faults, each injected at a place of the baseline run.
public struct FuzzRun: Hashable, Sendable {
    public struct Injection: Hashable, Sendable {
        public let fault: Fault
        public let place: FaultLocation

        public init(_ fault: Fault, at place: FaultLocation) {
            self.fault = fault
            self.place = place
        }

        public var faultName: String { fault.nameInRuns }

        /// A name such as `rf.silence@7`, or `mem.tear:inside=100%@c3` at a call.
        public var name: String { "\(faultName)@\(place.name)" }
    }

    /// At least one injection; the first one represents the run in reports.
    public let injections: [Injection]

    public init(_ fault: Fault, at place: FaultLocation) {
        injections = [Injection(fault, at: place)]
    }

    /// Creates a run with injections sorted by place; `nil` without any.
    public init?(_ injections: [Injection]) {
        guard !injections.isEmpty else { return nil }
        self.injections = injections.enumerated()
            .sorted { ($0.element.place.order, $0.offset) < ($1.element.place.order, $1.offset) }.map(\.element)
    }

    public var fault: Fault { injections[0].fault }
    public var place: FaultLocation { injections[0].place }

    /// The name that repeats the run: `rf.silence@7` or, with several faults, `rf.silence@7+felica.status@9`.
    public var name: String { injections.map(\.name).joined(separator: "+") }

    public var faultName: String { fault.nameInRuns }

    /// The amount that a person has to look at: faults, exchanges before the first fault, and arguments of the faults.
    var size: (Int, Int, Int) {
        let settings = injections.map { $0.fault.arguments.written.count + $0.fault.fix.count }.reduce(0, +)
        return (injections.count, place.order, settings)
    }

    /// The time that its faults add to calls, which does not count against the client.
    public var addedTime: Duration {
        injections.reduce(.zero) { time, injection in
            guard case .transport(let make) = injection.fault.kind.effect,
                case .delay(let delay) = make(injection.fault.arguments)
            else { return time }
            return time + delay
        }
    }

    public func isShorter(than other: FuzzRun) -> Bool { size < other.size }

    public var plan: FaultPlan {
        FaultPlan(injections.map { FaultPlan.Entry($0.fault, when: $0.place.trigger) })
    }
}

extension FuzzRun {
    /// Returns the run in a case with other places, with each fault at the same command or call, not later than before; `nil`
    /// if there is no such place for one of the faults.
    package func moved(to places: [FaultLocation]) -> FuzzRun? {
        let moved = injections.compactMap { injection in
            places.last { place in
                place.site == injection.place.site && place.number <= injection.place.number
                    && place.admits(injection.fault.kind)
            }.map { Injection(injection.fault, at: $0) }
        }
        return moved.count == injections.count ? FuzzRun(moved) : nil
    }
}

extension FaultLocation {
    /// The sort order: exchanges come before calls because their numbers are independent.
    fileprivate var order: Int { isExchange ? number : (isCall ? 1 : 2) * FaultPlan.maximumCalls + number }
}

extension Fault {
    private static let fixName = "fix"

    /// The name with the arguments that are written: `mem.tear:inside=100%`.
    fileprivate var nameInRuns: String {
        let mended = fix.isEmpty ? [] : ["\(Self.fixName)=\(fix.map(\.rawValue).joined(separator: ","))"]
        return ([kind.name] + arguments.written.map { "\($0.name)=\($0.value.nameInRuns)" } + mended)
            .joined(separator: ":")
    }

    fileprivate init(nameInRuns name: Substring) throws(FuzzRunNameError) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let kind = FaultCatalogue.named(String(parts[0])) else {
            throw FuzzRunNameError("there is no fault `\(parts[0])`")
        }
        var arguments: [String: FaultValue] = [:]
        var fix: Set<Fix> = []
        for part in parts.dropFirst() {
            let (key, value) = Self.cut(part, at: "=")
            if key == Self.fixName {
                fix = Set(value.split(separator: ",").compactMap { Fix(rawValue: String($0)) })
                continue
            }
            guard let parameter = kind.parameters.first(where: { $0.name == key }) else {
                throw FuzzRunNameError("`\(kind.name)` has no parameter `\(key)`")
            }
            guard let read = parameter.value(of: String(value)) else {
                throw FuzzRunNameError("`\(key)` of `\(kind.name)` must be \(parameter.valuesText), not `\(value)`")
            }
            arguments[String(key)] = read
        }
        self.init(kind, arguments, fix: fix)
    }

    fileprivate static func cut(_ text: Substring, at mark: Character) -> (Substring, Substring) {
        guard let place = text.lastIndex(of: mark) else { return (text, "") }
        return (text[..<place], text[text.index(after: place)...])
    }
}

extension FaultValue {
    /// The value as text; bytes have no spaces, so that a shell treats the name as one argument.
    fileprivate var nameInRuns: String {
        if case .bytes(let bytes) = self { Hex.text(bytes) } else { description }
    }
}

/// The reason why a text names no run, a sentence without its full stop.
public struct FuzzRunNameError: Error, CustomStringConvertible {
    public let description: String
    /// A Boolean value that indicates whether the name itself is wrong, rather than that the baseline run has no such place.
    public let isOnName: Bool

    fileprivate init(_ description: String, isOnName: Bool = true) {
        self.description = description
        self.isOnName = isOnName
    }
}

extension FuzzRun {
    /// Parses ``name``.
    ///
    /// - Parameter places: The places of the baseline run.
    public init(named name: String, among places: [FaultLocation]) throws(FuzzRunNameError) {
        var injections: [Injection] = []
        for part in name.split(separator: "+", omittingEmptySubsequences: false) {
            let (fault, number) = Fault.cut(part, at: "@")
            guard let place = places.first(where: { $0.name == number }) else {
                throw FuzzRunNameError(
                    "the baseline run has no place `\(number)`; it has \(FaultLocation.text(of: places))",
                    isOnName: false)
            }
            let injection = Injection(try Fault(nameInRuns: fault), at: place)
            guard place.admits(injection.fault.kind) else {
                throw FuzzRunNameError(
                    "`\(injection.fault.kind.name)` cannot be injected at \(place)", isOnName: false)
            }
            injections.append(injection)
        }
        guard let run = FuzzRun(injections) else { throw FuzzRunNameError("it names no fault") }
        self = run
    }
}
