import TapDocument
import TapSystem
import TapField
import TapJudge
import TapReport
import TapScenario
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The folder of a run, `.tapsim/runs/TIME` in the working directory, with a subfolder for each case.
///
/// A case's folder contains its page, its trace, a packet capture, the client's output, and what was run. The index of the
/// run lists its cases. Only the newest runs are kept; runs in progress are never removed.
struct RunFolder {
    /// The cases whose traces are kept.
    enum Policy: String, CaseIterable {
        case onFailure = "on-failure"
        case always
        case off

        static let option = Option.choice(
            "--trace", "WHEN", Policy.self,
            "Keep the traces of cases: on-failure, always or off (default: on-failure)")

        init(_ arguments: Arguments) throws(UsageError) {
            self = try arguments.word("--trace") ?? .onFailure
        }
    }

    /// The name of the index of a run, in its folder.
    static let indexPage = "index.html"
    /// The name of a case's page, in its folder.
    static let casePage = "trace.html"
    /// The name of a campaign's page, in the folder of its run.
    static let campaignPage = "campaign.html"
    /// The name of the campaign's JSON document, next to its page.
    static let campaignDocument = "campaign.json"
    /// The folder of findings, in a campaign's folder.
    private static let findings = "findings"
    private static let flaky = "findings/flaky"
    /// The folder of all runs, below the working directory.
    static let parent = ".tapsim/runs"
    /// The number of runs of each kind to keep, including the current one.
    private static let kept = 20
    private static let longestName = 60
    /// The number of a campaign's runs to keep.
    private static let mostRuns = 200
    /// The number of passed cases whose pages are kept without their traces.
    private static let mostPages = 100

    private let working: WorkingFolder
    private var policy: Policy
    /// The folder of this run, locked while this process writes to it.
    private var folder: OwnFolder?
    /// The page to look at first: the campaign's, the index of several cases, or that of the first kept case.
    private(set) var page: String?
    private var index = RunIndex()
    private var pageCount = 0
    /// The files of this run, for a report; `nil` unless they are to be collected.
    private var collected: [(path: String, bytes: [UInt8])]?
    private var caseNames: Set<String> = []
    private var runCount = 0
    private var findingCount = 0

    init(_ policy: Policy, in working: WorkingFolder) {
        self.working = working
        self.policy = policy
    }

    /// Keeps a case of a run and lists it in the index; of a case that passes, only the page, unless the policy says more.
    ///
    /// - Returns: The folder of the case, if its trace is kept.
    mutating func list(_ result: CaseResult, of scenario: SelectedScenario, _ console: Console) -> String? {
        guard policy != .off else { return nil }
        let isWhole = policy == .always || !result.verdict.isPassed
        let name = caseName("\(Self.fileName(scenario.name))-\(result.scenarioCase.number)")
        var path: String?
        if isWhole || pageCount < Self.mostPages {
            pageCount += isWhole ? 0 : 1
            path = attempt(isWhole || collected != nil ? console : nil) { folder throws(VerbError) in
                try folder.write(result, of: scenario, under: name, isWhole: isWhole)
            }
        }
        index.add(result.scenarioCase, result, page: path.map { _ in "\(name)/\(Self.casePage)" })
        return isWhole ? path : nil
    }

    /// Lists a case that the scenario skips in the index.
    mutating func listSkipped(_ scenarioCase: ScenarioCase) { index.add(scenarioCase, nil) }

    /// Lists a case that could not be run in the index.
    mutating func listBroken(_ scenarioCase: ScenarioCase, _ reason: String) {
        guard policy != .off else { return }
        index.add(scenarioCase, brokenBy: reason)
        // An index is kept even if nothing else is.
        _ = attempt(nil) { folder throws(VerbError) in try folder.made().path }
    }

    /// Writes the index of the cases.
    ///
    /// - Returns: Its path; `nil` if no case is kept.
    mutating func keepIndex(_ console: Console) -> String? {
        guard policy != .off, folder != nil else { return nil }
        let html = index.html(tapsim: TapSimCommand.version)
        let path = attempt(console) { folder throws(VerbError) in
            try folder.write(Array(html.utf8), to: Self.indexPage)
            return "\(try folder.made().path)/\(Self.indexPage)"
        }
        if index.count > 1 { page = path ?? page }
        return path
    }

    mutating func collectFiles() { collected = [] }

    /// The collected files, the index first.
    var files: [(path: String, bytes: [UInt8])] {
        let files = collected ?? []
        return files.filter { $0.path == Self.indexPage } + files.filter { $0.path != Self.indexPage }
    }

    /// Keeps one of several runs of a case if the policy says so.
    ///
    /// If the folder cannot be written, the run does not fail: a warning is printed, and the rest of the run is not kept.
    ///
    /// - Parameter run: A name that distinguishes the run from other runs of the same case.
    /// - Returns: The folder of the case.
    mutating func keep(
        _ result: CaseResult, as run: String, of scenario: SelectedScenario, _ console: Console
    ) -> String? {
        guard policy == .always || policy == .onFailure && !result.verdict.isPassed else { return nil }
        let name = caseName("\(Self.fileName(scenario.name))-\(result.scenarioCase.number)-\(Self.fileName(run))")
        return attempt(console) { folder throws(VerbError) in try folder.write(result, of: scenario, under: name) }
    }

    /// Keeps a run of a campaign if the policy says so and the limit is not reached.
    ///
    /// - Returns: The run's folder, relative to the campaign's.
    mutating func keep(
        _ result: CaseResult, asRun run: String, of scenario: SelectedScenario, _ console: Console
    ) -> String? {
        guard policy == .always || policy == .onFailure && !result.verdict.isPassed, runCount < Self.mostRuns else {
            return nil
        }
        runCount += 1
        let name = caseName("\(Self.fileName(scenario.name))-\(result.scenarioCase.number)-\(Self.fileName(run))")
        let isWritten = attempt(console) { folder throws(VerbError) in
            try folder.write(result, of: scenario, under: name)
        }
        return isWritten == nil ? nil : name
    }

    /// A Boolean value that indicates whether a campaign's findings are kept.
    var keepsFindings: Bool { policy != .off }

    /// Keeps a finding of a campaign in its own folder; flaky findings are kept separately.
    ///
    /// - Parameter files: Returns additional files for the folder, given its path.
    /// - Returns: The finding's path, relative to the campaign's folder; `nil` if it is not kept.
    mutating func keepFinding(
        _ result: CaseResult, named name: String, isFlaky: Bool, of scenario: SelectedScenario, _ console: Console,
        _ files: (String) -> [(name: String, text: String)]
    ) -> String? {
        findingCount += 1
        let number = findingCount < 10 ? "0\(findingCount)" : "\(findingCount)"
        let name = "\(isFlaky ? Self.flaky : Self.findings)/\(number)-\(Self.fileName(name))"
        return attempt(console) { folder throws(VerbError) in
            let path = try folder.write(result, of: scenario, under: name)
            for file in files(path) { try folder.write(Array(file.text.utf8), to: "\(name)/\(file.name)") }
            return name
        }
    }

    /// Keeps the page and the JSON document of a campaign if the policy says so.
    ///
    /// - Returns: Their paths.
    mutating func keepCampaign(
        _ html: @autoclosure () -> String, _ document: Node, hasFindings: Bool, _ console: Console
    ) -> (page: String, document: String)? {
        guard policy == .always || policy == .onFailure && hasFindings else { return nil }
        let html = html()
        let folder = attempt(console) { folder throws(VerbError) in
            let path = try folder.made().path
            try folder.write(Array(html.utf8), to: Self.campaignPage)
            try folder.write(Array("\(JSONWriter.text(document, .pretty))\n".utf8), to: Self.campaignDocument)
            folder.page = "\(path)/\(Self.campaignPage)"
            return path
        }
        return folder.map { ("\($0)/\(Self.campaignPage)", "\($0)/\(Self.campaignDocument)") }
    }

    /// - Parameter console: The place for a warning; `nil` if nobody misses what is not written.
    private mutating func attempt(
        _ console: Console?, _ body: (inout RunFolder) throws(VerbError) -> String
    ) -> String? {
        do {
            return try body(&self)
        } catch {
            guard let console else { return nil }
            console.printError("warning: the run is not kept: \(error.message ?? "")")
            policy = .off
            return nil
        }
    }

    private mutating func made() throws(VerbError) -> OwnFolder {
        if let folder { return folder }
        let made = try Self.make(in: working)
        folder = made
        return made
    }

    /// Writes a file below the folder through the folder's descriptor, since the client may put links and pipes there.
    ///
    /// - Parameter path: The path relative to the folder.
    private mutating func write(_ bytes: [UInt8], to path: String) throws(VerbError) {
        var names = path.split(separator: "/").map(String.init)
        let name = names.removeLast()
        var place = try made().folder
        do throws(SystemError) {
            for name in names { place = try place.makingFolder(name) }
            try place.write(bytes, to: name)
        } catch {
            throw VerbError(.usage, "\(error)")
        }
        collected?.append((path, bytes))
    }

    private mutating func write(
        _ result: CaseResult, of scenario: SelectedScenario, under name: String, isWhole: Bool = true
    ) throws(VerbError) -> String {
        let folder = "\(try made().path)/\(name)"
        let origin = CaseOrigin(
            scenario.name, source: try? working.load(scenario.file), tapsim: TapSimCommand.version)
        let files = isWhole ? result.files(from: origin) : [result.page(from: origin)]
        for file in files { try write(Array(file.text.utf8), to: "\(name)/\(file.name)") }
        if isWhole { try write(PacketCapture(result.record.world.trace).bytes, to: "\(name)/trace.pcapng") }
        page = page ?? "\(folder)/\(Self.casePage)"
        return folder
    }

    private static func fileName(_ text: String) -> String {
        String(
            text.prefix(longestName).map { character in
                character.isASCII && (character.isLetter || character.isNumber || "-_@.".contains(character))
                    ? character : "-"
            })
    }

    /// Returns a unique name for the folder of a case.
    private mutating func caseName(_ wanted: String) -> String {
        var name = wanted.hasPrefix(".") ? "-" + wanted : wanted
        while !caseNames.insert(name).inserted { name += "-" }
        return name
    }

    /// Creates the folder of a run, named after the time, and removes old ones.
    private static func make(in working: WorkingFolder) throws(VerbError) -> OwnFolder {
        for folder in [".tapsim", parent] where working.target(ofLink: folder) != nil {
            // A link that came with a scenario may lead anywhere.
            throw VerbError(.usage, "\(folder) is a symbolic link; remove it, or use `--trace off` to keep nothing")
        }
        do throws(SystemError) {
            let runs = try openRuns(in: working)
            removeOld(in: runs, working)
            let time = TimeOfDay.text
            for suffix in [""] + (2...99).map({ $0 < 10 ? "-0\($0)" : "-\($0)" }) {
                do throws(SystemError) {
                    return try OwnFolder(named: time + suffix, in: runs, for: .run)
                } catch let error where error.errno == EEXIST {
                    continue
                }
            }
            throw SystemError("make a folder in \(parent)", errno: EEXIST)
        } catch {
            throw VerbError(.usage, "\(error); use `--trace off` to keep nothing")
        }
    }

    /// Opens the folder of all runs; creates it if needed.
    private static func openRuns(in working: WorkingFolder) throws(SystemError) -> OpenFolder {
        let names = parent.split(separator: "/").map(String.init)
        let top = try OpenFolder(at: working.path(to: "."), named: ".").makingFolder(names[0])
        // Makes Git ignore runs, like the caches of other tools.
        try? top.write(Array("*\n".utf8), to: ".gitignore", isNew: true)
        return try top.makingFolder(names[1])
    }

    /// Removes old runs that TapSim has made.
    private static func removeOld(in runs: OpenFolder, _ working: WorkingFolder) {
        for name in oldRuns(in: working) {
            guard holdsOnlyOwnFiles("\(parent)/\(name)", working), let old = OwnFolder(left: name, in: runs, by: .run)
            else { continue }
            Leftovers.note(old.remove(), of: old)
        }
    }

    /// The names of all files in the folders of runs; the pytest plugin has the same list.
    private static let ownFiles: Set<String> = [
        OwnFolder.markName, indexPage, campaignPage, campaignDocument, casePage, "trace.jsonl", "trace.pcapng",
        "client.out", "client.err", "resolved.json", "meta.json", FindingFolders.scenarioName,
        FindingFolders.reportName, ReplayScript.fileName,
    ]

    /// Returns whether a folder contains only files with names of TapSim; somebody may have added notes to a run.
    private static func holdsOnlyOwnFiles(_ folder: String, _ working: WorkingFolder) -> Bool {
        // What cannot be read may be anybody's.
        guard let names = working.names(in: folder) else { return false }
        return names.allSatisfy { name in
            let path = "\(folder)/\(name)"
            guard working.target(ofLink: path) == nil else { return false }
            return working.isFolder(path) ? holdsOnlyOwnFiles(path, working) : ownFiles.contains(name)
        }
    }

    /// The names of the runs that make way for one more.
    ///
    /// Campaigns, runs with traces and others count separately: someone who repeats a finding makes many runs, which must not
    /// push out the campaign, nor runs that pass those that failed.
    static func oldRuns(in working: WorkingFolder) -> [String] {
        let names = Self.runs(in: working)
        let campaigns = names.filter { working.isThere("\(parent)/\($0)/\(campaignDocument)") }
        let others = names.filter { !campaigns.contains($0) }
        let traced = others.filter { !KeptCase.cases(of: "\(parent)/\($0)", in: working).isEmpty }
        let pages = others.filter { !traced.contains($0) }
        return [campaigns, traced, pages].flatMap { $0.dropLast(kept - 1) }
    }

    /// The names of the kept runs, newest last.
    static func runs(in working: WorkingFolder) -> [String] {
        (working.names(in: parent) ?? []).filter { name in
            name.allSatisfy { $0.isNumber || $0 == "-" } && name.count >= "20260101-000000".count
        }
    }
}

/// The machine's clock, used only to name folders.
private enum TimeOfDay {
    /// Date and time in UTC: `20261125-133006`.
    static var text: String {
        var now = time(nil)
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = unsafe strftime(&buffer, buffer.count, "%Y%m%d-%H%M%S", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
