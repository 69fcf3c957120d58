import TapSystem
import TapField
import TapReport
import TapScenario
import TapWire

/// The user's permission to start the programs that scenarios name.
///
/// A scenario file may come from a stranger. Without permission it may start only files below the working directory: a
/// program, or a script with its interpreter. Anything else, such as a program found in `PATH`, needs the user's permission.
struct ClientPermission {
    static let options: [Option] = [
        .flag("--allow-client", "Let scenarios start programs outside the working directory").in(.ci),
        .flag("--no-client", "Reject scenarios that name a program to start").in(.ci, isRare: true),
    ]

    /// Interpreters and the file name endings of the scripts they may run.
    ///
    /// Without the check of the ending, the script could be the scenario itself: a shell runs whatever it understands in any
    /// text.
    private static let interpreters = [
        "python": [".py"], "node": [".js", ".mjs", ".cjs"], "ruby": [".rb"], "perl": [".pl"], "php": [".php"],
        "sh": [".sh"], "bash": [".sh", ".bash"],
    ]

    /// Environment variables that load code into a program or replace it.
    private static let loadingVariables: Set = [
        "PATH", "ENV", "BASH_ENV", "PS4", "SHELLOPTS", "BASHOPTS", "GCONV_PATH", "PYTHONHOME", "PYTHONPATH",
        "PYTHONINSPECT", "PYTHONSTARTUP", "NODE_OPTIONS", "NODE_PATH", "RUBYOPT", "RUBYLIB", "PERL5OPT", "PERL5LIB",
        "PERL5DB", "PHPRC", "PHP_INI_SCAN_DIR", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS",
        "DOTNET_STARTUP_HOOKS",
    ]
    private static let loadingPrefixes = ["LD_", "DYLD_", "BASH_FUNC_"]

    private let allowsAll: Bool
    private let allowsNone: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        allowsAll = arguments.isGiven("--allow-client")
        allowsNone = arguments.isGiven("--no-client")
        guard !allowsAll || !allowsNone else { throw UsageError("use either `--allow-client` or `--no-client`") }
    }

    func check(_ cases: [ScenarioCase], in folder: WorkingFolder) throws(VerbError) {
        for (client, source) in cases.compactMap(\.ownProgram) {
            guard !allowsNone else {
                throw VerbError(
                    .usage,
                    "\(source) names a program to start, `\(ShellText.text(client.arguments))`, which `--no-client` forbids; "
                        + "name a client after `--`, or omit `--no-client`")
            }
            if !allowsAll, let reason = Self.obstacle(to: client, in: ".", folder) {
                throw VerbError(
                    .usage,
                    "\(source) wants to start \(reason); programs run with your permissions, so a scenario may start only "
                        + "programs in this folder; if you trust it, use `--allow-client`")
            }
        }
    }

    /// Announces the programs that the cases start, once each, before the first case runs.
    func announce(_ cases: [ScenarioCase], _ console: Console) {
        var told: Set<String> = []
        for (client, source) in cases.compactMap(\.ownProgram) {
            let line = "\(source) starts a program: \(ShellText.text(client.arguments))"
            if told.insert(line).inserted { console.printError(PrintableText.visible(line)) }
        }
    }

    /// Returns the reason why a client needs `--allow-client` in a folder, as the text after "wants to start"; `nil` if it
    /// does not.
    ///
    /// - Parameter working: The folder that the paths of the client and of the other folder start from.
    static func obstacle(to client: ProgramClient, in folder: String, _ working: WorkingFolder) -> String? {
        let top = working.realPath(of: folder)
        let program = client.arguments.first ?? ""
        if let variable = client.environment.first(where: { isLoading($0.name) }) {
            return "`\(program)` with the variable \(variable.name), which can make it run other code"
        }
        let outside = "`\(program)`, which is outside the working directory"
        guard let endings = endings(of: program) else {
            // A missing file causes its own error when the client is started.
            let isInside = program.contains("/") && (working.realPath(of: program).map { isBelow(top, $0) } ?? true)
            return isInside ? nil : outside
        }
        // An interpreter may be a link to the system's, as in virtual environments, so only its folder is checked.
        guard !program.contains("/") || liesBelow(top, program, working) else { return outside }
        let script = client.arguments.dropFirst().first ?? ""
        let isScript = !script.hasPrefix("-") && endings.contains(where: script.hasSuffix)
        let isInside = working.realPath(of: script).map { isBelow(top, $0) } ?? true
        return isScript && isInside
            ? nil : "`\(program)` without a script (\(ListText.choice(endings))) below the working directory"
    }

    private static func isLoading(_ variable: String) -> Bool {
        loadingVariables.contains(variable) || loadingPrefixes.contains(where: variable.hasPrefix)
    }

    /// A Boolean value that indicates whether a program runs scripts; CI services have these interpreters.
    static func isInterpreter(_ program: String) -> Bool { endings(of: program) != nil }

    /// Returns the endings of the scripts that an interpreter runs, or `nil` for other programs; `python3.13` counts as
    /// `python`.
    private static func endings(of program: String) -> [String]? {
        let name = program.split(separator: "/").last ?? ""
        let version = name.reversed().prefix { $0.isNumber || $0 == "." }.count
        return interpreters[String(name.dropLast(version))]
    }

    private static func liesBelow(_ top: String?, _ path: String, _ working: WorkingFolder) -> Bool {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard let real = working.realPath(of: parent) else { return false }
        return real == top || isBelow(top, real)
    }

    private static func isBelow(_ top: String?, _ path: String) -> Bool {
        top.map { RealPath.isInside(path, $0) } ?? false
    }
}

extension ScenarioCase {
    /// The program that the scenario itself names, and its location in the file.
    fileprivate var ownProgram: (client: ProgramClient, source: SourceReference)? {
        guard case .program(let client)? = client else { return nil }
        return client.source.map { (client, $0) }
    }
}
