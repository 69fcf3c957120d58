import Foundation
import TapSystem
import TestSupport
import Testing

/// Shell completion and the manual, generated from the same description as `--help`.
///
/// Some tests start `tapsim`: shells and man run it.
@Suite struct `Completion and the manual` {
    /// Returns the candidates that `tapsim complete` prints, without summaries.
    private func candidates(_ words: [String]) throws -> [String] {
        let outcome = try TapSim.run(["complete"] + words)
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
        return outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(arguments: [
        (["ru"], ["run"]), (["help", "tr"], ["trace"]), (["help", "trace", ""], []), (["no-verb", ""], []),
        (["run", "--trac"], ["--trace"]), (["run", "--trace", ""], ["on-failure", "always", "off"]),
        (["run", "--trace=al"], ["--trace=always"]), (["run", "--junit=RE"], [":files"]),
        (["run", "--seed", ""], []), (["run", "x.yaml", "--", "Pack"], [":files"]),
        (["run", "x.yaml", "--", "--tr"], [":files"]),
        (["check", "Scen"], [":files"]),
        (["init", "--ci", "git"], ["github", "gitlab"]), (["trace", "export", "--format", "pc"], ["pcapng"]),
        (["trace", "di"], ["diff"]), (["trace", "diff", "a", "b", "c"], []), (["ctl", "stat"], ["status"]),
        (["ctl", "phone", "ba"], ["background"]), (["completions", ""], ["bash", "zsh", "fish"]),
        (["completions", "bash", ""], []), (["decode", ""], []), (["fuzz", "--seed", "3", "x"], [":files"]),
    ])
    func `offers verbs, options, choices and files where they are possible`(
        words: [String], expected: [String]
    ) throws {
        #expect(try candidates(words) == expected)
    }

    @Test(arguments: [
        (["serve", "--card", "suic"], ["suica", ":files"]), (["serve", "--card", "NTAG216"], ["NTAG216", ":files"]),
        (["run", "--card", "suica:bal"], ["suica:balance="]),
        (["run", "--card", "suica:balance=1,tr"], ["suica:balance=1,trips="]),
        (["run", "--card=suica:balance=1,bal"], []),
        (["run", "--card", "ntag215:ic=NTAG213"], ["ntag215:ic=NTAG213"]),
        (["card", "edit", "card.yaml", "poi"], ["points="]), (["serve", "--model", "acr122"], ["acr122u"]),
        (["serve", "--transport", "nfc"], ["nfcpy"]), (["fuzz", "--only", "rf.silen"], ["rf.silence"]),
        (["explain", "RC-S96"], ["RC-S960", "RC-S962"]), (["explain", "--jun"], ["--junit"]),
        (["list", "faults", "rf.silen"], ["rf.silence"]),
    ])
    func `offers cards and their keys, reader models, transports, faults and ICs`(
        words: [String], expected: [String]
    ) throws {
        #expect(try candidates(words) == expected)
    }

    @Test func `offers every option of every verb`() throws {
        let manual = try TapSim.run(["man"]).output.replacingOccurrences(of: "\\-", with: "-")
        for verb in try entries(of: ["--help"]) {
            #expect(manual.contains("\n.SS tapsim \(verb)\n"))
            let options = try entries(of: [verb, "--help-all"]).filter { $0.hasPrefix("--") }
            let offered = try candidates([verb, "--"])
            #expect(!options.isEmpty && Set(options).isSubset(of: offered))
            #expect(options.allSatisfy(manual.contains))
        }
    }

    /// The names of all verbs, from the overview.
    private func verbs() throws -> [String] { try entries(of: ["--help"]) }

    @Test func `fit help into 80 columns, and that of run into two screens`() throws {
        for arguments in try [[]] + verbs().map({ [$0] }) {
            for flag in arguments.isEmpty ? ["--help"] : ["--help", "--help-all"] {
                let lines = try TapSim.run(arguments + [flag]).output.split(separator: "\n")
                for line in lines { #expect(line.count <= 80, "\(arguments) \(flag): \(line)") }
            }
        }
        let run = try TapSim.run(["run", "--help"]).output
        #expect(run.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "60 lines and their end")
        let complete = try TapSim.run(["run", "--help-all"]).output
        #expect(!run.contains("--stations") && complete.contains("  --stations FILE"))
        #expect(run.contains("\ncards and readers:\n  --card CARD") && run.contains("\nCI:\n  --junit FILE"))
    }

    @Test func `show examples in help before usage, and all of them in the manual`() throws {
        let manual = try TapSim.run(["man"]).output.replacingOccurrences(of: "\\-", with: "-")
        let section = try #require(manual.components(separatedBy: "\n.SH ").first { $0.hasPrefix("EXAMPLES\n") })
        for verb in try verbs() {
            let help = try TapSim.run([verb, "--help"]).output
            let parts = help.components(separatedBy: "\nusage: tapsim \(verb)")
            #expect(parts.count == 2 && parts[0].contains("\nexamples:\n  # "), "\(verb)")
            let commands = parts[0].split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("  #") }
            #expect((1...3).contains(commands.count))
            for command in commands {
                #expect((section + "\n").contains("\n.B \(command.dropFirst(2))\n"), "\(command)")
            }
        }
    }

    /// Returns the candidates that a shell offers at the end of each line, without summaries.
    private func offers(_ shell: String, _ script: String, _ lines: [String]) throws -> [String] {
        let link = try TestFolder.make().appendingPathComponent("tapsim")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: TapSimProgram.path)
        let path = "\(link.deletingLastPathComponent().path):\(ProcessEnvironment["PATH"] ?? "")"
        let outcome = try TapSimProgram.run(
            ["-c", script] + lines, environment: ["PATH": path], program: "/usr/bin/\(shell)")
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func `works in bash, which splits arguments at = and :`() throws {
        let script = """
            source <(tapsim completions bash)
            for COMP_LINE in "$0" "$@"; do
                COMP_POINT=${#COMP_LINE}
                read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$COMP_LINE")"
                [[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _tapsim tapsim
                echo "${COMPREPLY[*]}"
            done
            """
        let lines = [
            "tapsim ru", "tapsim run --trace ", "tapsim run --trace=al", "tapsim run --trace=",
            "tapsim run --card suica:tr",
            "tapsim run --card suica:balance=1,tr", "tapsim check Scenarios/feli", "tapsim run --junit=LICE",
            "tapsim run x.yaml -- Pack",
        ]
        #expect(
            try offers("bash", script, lines) == [
                "run", "on-failure always off", "always", "on-failure always off", "trips=", "1,trips=",
                "Scenarios/felica", "LICENSE", "Package.swift",
            ])
    }

    @Test func `works in fish`() throws {
        let script = """
            tapsim completions fish | source
            for line in $argv
                complete --do-complete $line | string split -f1 \\t
            end
            exit 0
            """
        let lines = [
            "tapsim ru", "tapsim run --trace al", "tapsim trace di", "tapsim run --jun", "tapsim run --trace=al",
            "tapsim run --card suica:tr", "tapsim check LICEN", "tapsim run --junit=LICEN",
        ]
        #expect(
            try offers("fish", script, lines) == [
                "run", "always", "diff", "--junit", "--trace=always", "suica:trips=", "LICENSE", "--junit=LICENSE",
            ])
    }

    /// zsh completes only on a terminal, so the test prints the candidates that the function adds.
    @Test func `works in zsh`() throws {
        let script = """
            compdef() {}
            compset() { return 1 }
            _files() { print files }
            compadd() { [[ $1 == -S ]] && print -r -- "$4" || print -rl -- $names $texts }
            source <(tapsim completions zsh)
            for line in "$0" "$@"; do
                words=("${(@s: :)line}") CURRENT=${#words}
                _tapsim
            done
            """
        let lines = ["tapsim tra", "tapsim run --trace=al", "tapsim run --card suica:tr", "tapsim run x.yaml -- "]
        #expect(
            try offers("zsh", script, lines) == [
                "trace", "trace  -- Show a kept run: its exchanges, its page, or its differences from another run.",
                "--trace=always", "--trace=always", "suica:trips=", "files",
            ])
    }

    /// Returns the first word of each indented line of a help text.
    private func entries(of arguments: [String]) throws -> [String] {
        try TapSim.run(arguments).output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return nil }
            return line.split { $0 == " " || $0 == "," }.first.map(String.init)
        }.filter { $0 != "tapsim" }
    }

    @Test func `has a manual without troff errors`() throws {
        let script = "\"$0\" man | groff -K utf8 -man -T utf8 -ww >\"$1\" && cat \"$1\""
        let page = try TapSimProgram.file("page", "")
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path, page], program: "/bin/bash")
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
        #expect(outcome.output.contains("an expectation failed"))
    }

    @Test func `rejects an unknown shell`() throws {
        let refused = try TapSim.run(["completions", "fissh"])
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("did you mean `fish`? expected `bash`, `zsh` or `fish`"))
        #expect(try TapSim.run(["completions"]).error.contains("name a shell: bash, zsh or fish"))
    }
}
