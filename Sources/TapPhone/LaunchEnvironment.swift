import TapDocument
import TapSystem
import TapField
import TapReport
import TapScenario
import TapServe

/// The cards and settings in an app's launch environment.
struct LaunchEnvironment {
    /// The path of a scenario file in JSON.
    static let file = "TAPSIM_SCENARIO"
    /// The cards, each in the syntax of `--card`.
    static let cards = "TAPSIM_CARD"
    static let number = "TAPSIM_CASE"
    static let seed = "TAPSIM_SEED"

    let scenarioCase: ScenarioCase
    /// The order of `tapsim audit`, if any.
    let order: AuditOrder?
    /// The command prefix that sets the same variables again, starting with `env`.
    let reproduceCommand: [String]

    /// Reads the environment; `nil` if it names neither a file nor cards.
    ///
    /// - Throws: ``AppScenarioError``, which names the wrong variable.
    init?(_ variable: (String) -> String?) throws(AppScenarioError) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let (file, cards, number) = (value(Self.file), value(Self.cards), value(Self.number))
        guard let name = file.map({ _ in Self.file }) ?? cards.map({ _ in Self.cards }) else { return nil }
        guard file == nil || cards == nil else {
            throw AppScenarioError("\(Self.file) and \(Self.cards) are both set; unset one of them")
        }
        guard file != nil || number == nil else {
            throw AppScenarioError("\(Self.number) needs \(Self.file); unset it")
        }
        let seed = try value(Self.seed).map { text throws(AppScenarioError) in
            guard let seed = UInt64(text) else {
                throw AppScenarioError("\(Self.seed): `\(text)` is not a whole number from 0 up")
            }
            return seed
        }
        do { order = try AuditOrder(variable) } catch { throw AppScenarioError(error.description) }
        do {
            let stated =
                if let file {
                    try AppScenario.scenarioCase(file: file, case: number, seed: seed)
                } else {
                    try AppScenario.scenarioCase(cards: cards ?? "", seed: seed)
                }
            scenarioCase = order?.applied(to: stated) ?? stated
        } catch {
            throw AppScenarioError("\(name): \(error)\(error.asksForCase ? " by \(Self.number)" : "")")
        }
        if let obstacle = scenarioCase.obstacle(to: .app) {
            throw AppScenarioError("\(name): \(obstacle.text)")
        }
        let words = [
            (Self.file, file), (Self.cards, cards), (Self.number, number), (Self.seed, "\(scenarioCase.seed)"),
        ]
        reproduceCommand = ["env"] + words.compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
}

/// Scenarios for apps: JSON files, since apps do not read YAML, and cards in the syntax of `--card`.
public enum AppScenario {
    public static let maximumCards = 64

    /// Loads a case from a file with one scenario, or with a list as `tapsim check --resolved --json` writes it.
    ///
    /// - Parameter name: The case, by its number from 1 or its name. Optional for a file with one case.
    /// - Throws: ``AppScenarioError`` if there is no such file or case, or if the file has errors.
    public static func scenarioCase(
        file path: String, case name: String? = nil, seed: UInt64? = nil
    ) throws(AppScenarioError) -> ScenarioCase {
        let file = try load(path)
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: JSONReader(), .init(seed: seed)).load(file, into: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else { throw AppScenarioError(diagnostics) }
        return try chosen(name, among: scenario.cases, of: path)
    }

    /// Creates a case from cards alone, each in the syntax of `--card`: `suica:balance=3120,trips=20`, separated by spaces or
    /// line breaks.
    public static func scenarioCase(cards words: String, seed: UInt64? = nil) throws(AppScenarioError) -> ScenarioCase {
        let cards = words.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !cards.isEmpty, cards.count <= maximumCards else {
            throw AppScenarioError("name 1 to \(maximumCards) cards, such as suica:balance=3120")
        }
        let document: Node
        do { document = try CardArgument.scenario(cards) } catch { throw AppScenarioError(error.description) }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(from: document, file: "cards", .init(seed: seed), into: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else { throw AppScenarioError(diagnostics) }
        return scenario.cases[0]
    }

    private static func load(_ path: String) throws(AppScenarioError) -> SourceFile {
        guard FileContent.isRegular(path) else {
            let start = path.hasPrefix("/") ? "" : "; paths are relative to the working directory of the app"
            throw AppScenarioError("there is no file \(path)\(start)")
        }
        let file: SourceFile
        do {
            let bytes = try FileContent.bytes(of: path, upTo: DocumentLimits.scenario.maximumBytes)
            file = SourceFile(name: path, bytes: bytes)
        } catch {
            throw AppScenarioError("\(error)")
        }
        let first = file.scalars.first { !$0.properties.isWhitespace }
        guard [".yaml", ".yml"].contains(where: path.hasSuffix) || first != "{" && first != "[" else { return file }
        throw AppScenarioError(
            "\(path) is not JSON, the only format that apps read; write it with "
                + "`tapsim check --resolved --json \(path) > scenario.json` and name that file")
    }

    private static func chosen(
        _ name: String?, among cases: [ScenarioCase], of path: String
    ) throws(AppScenarioError) -> ScenarioCase {
        let names = CaseNames(cases)
        guard let name else {
            if cases.count == 1 { return cases[0] }
            throw AppScenarioError("\(path) has several cases: \(names); choose one", asksForCase: true)
        }
        guard let index = names.indices(of: name).first else {
            throw AppScenarioError("\(path) has no case `\(name)`; there are: \(names)")
        }
        return cases[index]
    }
}

public struct AppScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message, without a full stop.
    public let description: String

    /// A Boolean value that indicates whether the user has to name a case.
    let asksForCase: Bool

    init(_ description: String, asksForCase: Bool = false) {
        self.description = description
        self.asksForCase = asksForCase
    }

    init(_ diagnostics: Diagnostics) {
        guard let error = diagnostics.sorted.first(where: { $0.severity == .error }) else {
            self.init("it contains no case")
            return
        }
        let place = error.place.range.map { "\($0.file.name):\($0.line):\($0.column): " } ?? ""
        self.init(place + error.message + (error.hint.isEmpty ? "" : "; \(error.hint)"))
    }
}

/// The phone of an app whose launch environment names cards.
public enum PhoneLaunch {
    private static let made = Lock<LaunchedPhone??>(nil)

    /// Returns the phone, which is created on first use and runs on real time.
    ///
    /// Returns `nil` if the launch environment names neither a file nor cards, or is invalid, which is reported on standard
    /// error.
    public static func phone(declaring declarations: @autoclosure () -> PhoneDeclarations) -> VirtualPhone? {
        made.withLock { made in
            let launched =
                made
                ?? LaunchedPhone(declarations(), variable: { ProcessEnvironment[$0] }) { line in
                    WholeOutput.writeError("TapSim: \(line)")
                }
            made = .some(launched)
            return launched?.phone
        }
    }
}

/// A phone from the launch environment, and the socket that controls it.
struct LaunchedPhone: Sendable {
    let phone: VirtualPhone
    let steering: PhoneSteering

    /// Creates the phone; `nil` if the environment asks for none or is invalid.
    init?(_ declarations: PhoneDeclarations, variable: (String) -> String?, _ report: (String) -> Void) {
        do throws(AppScenarioError) {
            guard let launch = try LaunchEnvironment(variable) else { return nil }
            let scenarioCase = launch.scenarioCase
            var stated = PhoneSettings(scenarioCase, clock: .real)
            if !stated.declarations.isGiven { stated.declarations = declarations }
            let settings = stated
            let observer = launch.order?.observer()
            phone = try Self.phone(before: scenarioCase, settings, observer)
            let field = SteeredField(
                scenarioCase, on: phone.host, usedBy: PhoneUser(phone),
                reproduceCommand: launch.reproduceCommand + CommandLine.arguments.prefix(1)
            ) { [settings] in VirtualPhone.makeWorld(of: scenarioCase, settings, observer: observer) }
            let control = variable(FieldService.variable).flatMap { $0.isEmpty ? nil : $0 }
            steering = PhoneSteering(field, at: control, report)
        } catch {
            report("\(error); NFC reading is not available")
            return nil
        }
    }

    private static func phone(
        before scenarioCase: ScenarioCase, _ settings: PhoneSettings, _ observer: (any TraceObserver)?
    ) throws(AppScenarioError) -> VirtualPhone {
        do {
            return try VirtualPhone(scenarioCase, settings, observer: observer)
        } catch {
            throw AppScenarioError("\(error)")
        }
    }
}

final class PhoneSteering: Sendable {
    private let service = Lock<FieldService?>(nil)

    /// Opens the socket at the path from the launch environment, or in a private folder if that path is in use.
    init(_ field: SteeredField, at wanted: String?, _ report: (String) -> Void) {
        EndingCleanups.runAtExit()
        RequestsUnderWay.answerAtExit()
        if let wanted, !ControlClient.isAnswered(wanted) {
            do {
                try open(field, at: wanted)
                return
            } catch {
                // Another app that starts at the same time may be first.
                if !ControlClient.isAnswered(wanted) { report("\(FieldService.variable): \(error)") }
            }
        }
        do {
            let place = ShellText.text(["\(FieldService.variable)=\(try open(field, at: nil))"])
            report(
                "the phone of this app reads \(field.original.displayName); control it with: \(place) tapsim ctl status"
            )
        } catch {
            report("the phone of this app cannot be controlled: \(error)")
        }
    }

    /// Opens the socket and returns its path.
    @discardableResult
    private func open(_ field: SteeredField, at path: String?) throws(SystemError) -> String {
        let service = service
        // The lock is held until the service is stored, so that an early request to end it finds it.
        return try service.withLock { kept throws(SystemError) in
            let opened = try FieldService(field, at: path) { _ in
                // The thread of the socket cannot wait for itself.
                _ = try? BlockingThread { Self.close(service) }
            }
            kept = opened
            return opened.path
        }
    }

    private static func close(_ service: Lock<FieldService?>) {
        let opened = service.withLock { service in
            defer { service = nil }
            return service
        }
        opened?.close()
    }
}
