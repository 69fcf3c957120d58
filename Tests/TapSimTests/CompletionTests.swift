import Foundation
import Testing

/// What shells and man are given is made of the same description as help.
@Suite struct `Completions and the manual` {
    /// What bash, made to complete the last word, would offer.
    private func offers(_ words: [String]) throws -> [String] {
        let script = """
            source <("$0" completions bash)
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _tapsim
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path] + words, program: "/bin/bash")
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["tapsim", "ru"], ["run"]),
        (["tapsim", "help", "tr"], ["trace"]),
        (["tapsim", "run", "--tr"], ["--trace"]),
        (["tapsim", "run", "--trace", ""], ["on-failure", "always", "off"]),
        (["tapsim", "run", "--trace", "=", "al"], ["always"]),
        (["tapsim", "run", "--trace", "="], ["on-failure", "always", "off"]),
        (["tapsim", "serve", "--card", "suic"], ["suica"]),
        (["tapsim", "serve", "--model", "acr"], ["acr122u"]),
        (["tapsim", "init", "--ci", "git"], ["github", "gitlab"]),
        (["tapsim", "trace", "export", "--format", "pc"], ["pcapng"]),
        (["tapsim", "trace", "di"], ["diff"]),
        (["tapsim", "ctl", "stat"], ["status"]),
        (["tapsim", "completions", ""], ["bash", "zsh", "fish"]),
        (["tapsim", "check", "Scenarios/feli"], ["Scenarios/felica"]),
        (["tapsim", "run", "--junit", "READ"], ["README.md"]),
        (["tapsim", "run", "x.yaml", "--", "Pack"], ["Package.swift"]),
        (["tapsim", "run", "--seed", ""], []),
        (["tapsim", "decode", ""], []),
    ])
    func `offer in bash what can stand there`(words: [String], expected: [String]) throws {
        #expect(try offers(words) == expected)
    }

    @Test func `offer the same in fish`() throws {
        let script = """
            $0 completions fish | source
            for line in 'tapsim ru' 'tapsim run --trace al' 'tapsim trace di' 'tapsim run --jun' 'tapsim check LICEN'
                complete --do-complete $line | string split -f1 \\t
            end
            """.replacingOccurrences(of: "$0", with: TapSimProgram.path)
        let outcome = try TapSimProgram.run(["--no-config", "-c", script], program: "/usr/bin/fish")
        #expect(outcome.output == "run\nalways\ndiff\n--junit\nLICENSE\n", "\(outcome.error)")
    }

    /// zsh completes on a terminal only; here it shows what the function asks it to do.
    @Test func `ask zsh for the same`() throws {
        let script = """
            compdef() {}
            _describe() { print -rl -- "$verbs[@]" }
            _arguments() { print -rl -- "$@" }
            _files() { print files }
            source <("$0" completions zsh)
            words=(tapsim '') CURRENT=2; _tapsim
            words=(tapsim run '') CURRENT=3; _tapsim
            words=(tapsim run x.yaml -- '') CURRENT=5; _tapsim
            """
        let outcome = try TapSimProgram.run(["-f", "-c", script, TapSimProgram.path], program: "/usr/bin/zsh")
        let lines = Set(outcome.output.split(separator: "\n"))
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
        #expect(lines.contains("trace:Show what was kept of a run: its exchanges, its page, or how two runs differ."))
        #expect(lines.contains { $0.hasPrefix("--trace=[") && $0.hasSuffix(":WHEN:(on-failure always off)") })
        #expect(lines.isSuperset(of: ["*:file:_files", "files"]))
    }

    @Test func `name every verb and option`() throws {
        let verbs = try entries(of: ["--help"])
        #expect(verbs.count > 10)
        let scripts = try ["bash", "zsh", "fish"].map { try TapSimProgram.run(["completions", $0]).output }
        let manual = try TapSimProgram.run(["man"]).output.replacingOccurrences(of: "\\-", with: "-")
        for verb in verbs {
            #expect(manual.contains("\n.SS tapsim \(verb)\n"))
            for option in try entries(of: [verb, "--help"]) where option.hasPrefix("--") {
                #expect(manual.contains(option))
                #expect(scripts[0].contains(option) && scripts[1].contains(option))
                #expect(scripts[2].contains(" -l \(option.dropFirst(2))"))
            }
        }
    }

    /// The first words of the indented lines of a help text.
    private func entries(of arguments: [String]) throws -> [String] {
        try TapSimProgram.run(arguments).output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return nil }
            return line.split { $0 == " " || $0 == "," }.first.map(String.init)
        }.filter { $0 != "tapsim" }
    }

    @Test func `the manual has no mistake that troff finds`() throws {
        let script = "\"$0\" man | groff -K utf8 -man -T utf8 -ww >\"$1\" && cat \"$1\""
        let page = try TapSimProgram.file("page", "")
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.path, page], program: "/bin/bash")
        #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
        #expect(outcome.output.contains("an expectation failed"))
    }

    @Test func `refuse a shell that is not known`() throws {
        let refused = try TapSimProgram.run(["completions", "fsh"])
        #expect(refused.exitCode == 2)
        #expect(refused.error.contains("`completions` needs bash, zsh or fish, not `fsh`"))
        #expect(try TapSimProgram.run(["completions"]).error.contains("name a shell: bash, zsh or fish"))
    }
}
