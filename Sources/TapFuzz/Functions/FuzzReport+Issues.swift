import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

extension FuzzReport {
    /// The text for each new cause: what the client did, where, how to repeat it alone, and the scenario lines for that.
    public var issues: [String] {
        let (seed, ending) = (isGuided ? "seed \(seed)" : nil, ending)
        let clean = newFaultlessCauses.map { $0.issue($0.includes(endless) ? ending : nil) }
        let causes = newCauses.map { $0.issue(alongside: seed, $0.includes(endless) ? ending : nil) }
        let isReported =
            newFaultlessCauses.contains { $0.includes(endless) } || newCauses.contains { $0.includes(endless) }
        return clean + causes + (isReported ? [] : ending.map { [$0] } ?? [])
    }

    /// The reason why the campaign was cut short, if it was.
    private var ending: String? {
        endless.map { name in
            "the campaign ended at \(name), after \(CountText.of(runCount, "run")), because a client that does not end may "
                + "block its thread forever; fix that, or skip it with `except: [\"\(name)\"]`"
        }
    }

    /// Text such as `312 runs, 2 causes`.
    public var summary: String {
        "\(CountText.of(runCount, "run")), \(CountText.of(newCauses.count + newFaultlessCauses.count, "cause"))"
            + (isGuided ? ", seed \(seed)" : "")
    }
}

extension FaultlessCause {
    fileprivate func includes(_ card: String?) -> Bool { card != nil && found.contains { $0.card == card } }

    /// - Parameter ending: The reason why the campaign ended with a client that did not end.
    fileprivate func issue(_ ending: String?) -> String {
        let cards = found.compactMap(\.card)
        let lines =
            ["\(found[0].finding), without any fault", "cause:  \(key)"]
            + (cards.isEmpty
                ? [] : ["cards:  \(cards.joined(separator: ", "))", "alone:  only: [\"\(VariedCard.pattern)\"]"])
        let note = ending.map { ["note:   \($0)"] } ?? []
        return (lines + note).map { PrintableText.visible($0) }.joined(separator: "\n")
    }
}

extension FindingCause {
    fileprivate func includes(_ run: String?) -> Bool { entries.contains { $0.run.name == run } }

    /// - Parameters:
    ///   - seed: The seed of a campaign that drew runs.
    ///   - ending: The reason why the campaign ended with a client that did not end.
    fileprivate func issue(alongside seed: String?, _ ending: String?) -> String {
        let run = shortest.run
        let places = run.injections.map { "\($0.fault.kind.name) at \($0.place)" }.joined(separator: " and ")
        let number = [CountText.of(entries.count, "run"), seed].compactMap(\.self).joined(separator: ", ")
        var lines = [
            "\(finding.outcome.rawValue), after \(places): \(finding.reason)",
            "alone:  only: [\"\(run.name)\"]",
            "seen:   \(number) with \(faults.joined(separator: ", "))", "cause:  \(key)",
        ]
        lines += excuse.map { ["note:   \($0.note); `known: .\($0.rawValue)` ignores it"] } ?? []
        lines += others.map { "also:   \($0.finding) (\(CountText.of($0.count, "run")))" }
        if let ending { lines.append("note:   \(ending)") }
        return lines.map { PrintableText.visible($0) }.joined(separator: "\n") + "\n" + run.scenarioLines
    }
}

extension FuzzRun {
    /// The key `faults` of a scenario file with this run, in YAML; ends with a line break.
    public var scenarioLines: String {
        DocumentFormatter.text(of: .map(["faults": plan.node]), comments: [], table: ScenarioLoader.table)
    }
}
