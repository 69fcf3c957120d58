import TapReport
import TapWire

extension Verb {
    static let completions = Verb(
        name: "completions",
        usages: Shell.allCases.map(\.rawValue),
        summary: "Print what lets a shell complete the words of a command line.",
        details: """
            The packages for Debian and the tar file put these where the shells look. By hand, in the shell's own file:

              source <(tapsim completions bash)       # ~/.bashrc
              source <(tapsim completions zsh)        # ~/.zshrc, behind compinit
              tapsim completions fish | source        # ~/.config/fish/config.fish
            """,
        options: [],
        run: { arguments, console in
            guard let word = arguments.operands.first, arguments.operands.count == 1 else {
                throw UsageError("name a shell: \(ListText.choice(Shell.allCases.map(\.rawValue)))")
            }
            let shell: Shell = try Arguments.word(word, of: "completions")
            console.printAsIs(shell.script)
            return .passed
        })
}

/// A shell that completes words, and the script that makes it do so.
private enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        let maker = "# Completes tapsim in \(rawValue); made by tapsim completions \(rawValue)."
        let lines =
            switch self {
            case .bash: [maker] + Self.bashLines
            // zsh reads from the first line what a file completes.
            case .zsh: ["#compdef tapsim", maker] + Self.zshLines
            case .fish: [maker] + Self.fishLines
            }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let ownWords = [("--help", "Show what there is."), ("--version", "Show which TapSim this is.")]
    private static var verbs: [(name: String, summary: String)] {
        Verb.all.map { ($0.name, $0.summary) } + [("help", "Tell more about a verb.")]
    }

    private static func quoted(_ words: [String]) -> String { ShellWords.text([words.joined(separator: " ")]) }

    // MARK: bash

    private static var bashLines: [String] {
        let first = verbs.map(\.name) + ownWords.map(\.0)
        return [
            "_tapsim_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$word\")); }",
            "_tapsim_files() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"$word\")); }",
            "_tapsim() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} index",
            "    COMPREPLY=()",
            // Bash takes `--name=value` for three words.
            "    [[ $previous != = ]] || previous=${COMP_WORDS[COMP_CWORD - 2]}",
            "    if [[ $word == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 1]} word=; fi",
            "    if ((COMP_CWORD == 1)); then",
            "        _tapsim_words \(quoted(first))",
            "        return",
            "    fi",
            "    for ((index = 2; index < COMP_CWORD; index++)); do",
            "        if [[ ${COMP_WORDS[index]} == -- ]]; then",
            "            _tapsim_files",
            "            return",
            "        fi",
            "    done",
            "    case \"$verb $previous\" in",
        ] + Verb.all.flatMap(bashValues) + [
            "    esac",
            "    case \"$verb $word\" in",
            "        'help '*) _tapsim_words \(quoted(Verb.all.map(\.name))) ;;",
        ] + Verb.all.flatMap(bashWords) + [
            "    esac",
            "}",
            "complete -F _tapsim tapsim",
        ]
    }

    private static func bashValues(of verb: Verb) -> [String] {
        verb.allOptions.filter { $0.value != nil }.map { option in
            let action =
                switch Completion(option) {
                case .nothing: ""
                case .files: "_tapsim_files; "
                case .words(let words): "_tapsim_words \(quoted(words)); "
                }
            return "        '\(verb.name) \(option.name)') \(action)return ;;"
        }
    }

    private static func bashWords(of verb: Verb) -> [String] {
        let names = verb.allOptions.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
        let actions = Completion.actions(of: verb)
        var operands: [String] = []
        if !actions.isEmpty { operands.append("((COMP_CWORD > 2)) || _tapsim_words \(quoted(actions))") }
        if Completion.takesFiles(verb) { operands.append("_tapsim_files") }
        return [
            "        '\(verb.name) -'*) _tapsim_words \(quoted(names)) ;;",
            "        '\(verb.name) '*) \(operands.isEmpty ? ":" : operands.joined(separator: "; ")) ;;",
        ]
    }

    // MARK: zsh

    private static var zshLines: [String] {
        let rows = verbs + ownWords
        return [
            "_tapsim() {",
            "    local -a verbs=(\(ShellWords.text(rows.map { "\($0.0):\($0.1)" })))",
            "    if ((CURRENT == 2)); then",
            "        _describe verb verbs",
            "        return",
            "    fi",
            "    if ((${words[(I)--]} > 0 && ${words[(I)--]} < CURRENT)); then",
            "        _files",
            "        return",
            "    fi",
            "    shift words",
            "    ((CURRENT--))",
            "    case ${words[1]} in",
            "        help) _arguments ':verb:(\(Verb.all.map(\.name).joined(separator: " ")))' ;;",
        ] + Verb.all.map(zshRow) + [
            "    esac",
            "}",
            "if [[ ${funcstack[1]} == _tapsim ]]; then _tapsim \"$@\"; else compdef _tapsim tapsim; fi",
        ]
    }

    private static func zshRow(of verb: Verb) -> String {
        var specs = verb.allOptions.flatMap(zshSpecs)
        let actions = Completion.actions(of: verb)
        if !actions.isEmpty { specs.append("1:what:(\(actions.joined(separator: " ")))") }
        if Completion.takesFiles(verb) { specs.append("*:file:_files") }
        return "        \(verb.name)) _arguments \(ShellWords.text(specs)) ;;"
    }

    private static func zshSpecs(of option: Option) -> [String] {
        // Brackets end a description, and colons the parts of it.
        let summary = option.summary.map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        let star = option.isRepeatable ? "*" : ""
        guard let value = option.value else {
            return ([option.name] + (option.short.map { [$0] } ?? [])).map { "\(star)\($0)[\(summary)]" }
        }
        let action =
            switch Completion(option) {
            case .nothing: " "
            case .files: "_files"
            case .words(let words): "(\(words.joined(separator: " ")))"
            }
        let placeholder = value.map { $0 == ":" ? "\\:" : "\($0)" }.joined()
        return ["\(star)\(option.name)=[\(summary)]:\(placeholder):\(action)"]
    }

    // MARK: fish

    private static var fishLines: [String] {
        [
            "function __tapsim_verb",
            "    set -l words (commandline -opc)",
            "    test (count $words) -ge 2; and test $words[2] = $argv[1]; and not contains -- -- $words",
            "end",
            "function __tapsim_first",
            "    test (count (commandline -opc)) -eq $argv[1]",
            "end",
            "complete -c tapsim -n '__tapsim_first 1' -f",
        ]
            + verbs.map { "complete -c tapsim -n '__tapsim_first 1' -a \($0.name) -d \(ShellWords.text([$0.summary]))" }
            + ownWords.map {
                "complete -c tapsim -n '__tapsim_first 1' -l \($0.0.dropFirst(2)) -d \(ShellWords.text([$0.1]))"
            }
            + ["complete -c tapsim -n '__tapsim_verb help' -f -a \(quoted(Verb.all.map(\.name)))"]
            + Verb.all.flatMap(fishRows)
    }

    private static func fishRows(of verb: Verb) -> [String] {
        let start = "complete -c tapsim -n '__tapsim_verb \(verb.name)'"
        let actions = Completion.actions(of: verb)
        var rows = verb.allOptions.map { option in
            let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
            let value =
                switch Completion(option) {
                case .nothing: option.value == nil ? "" : " -x"
                case .files: " -r -F"
                case .words(let words): " -x -a \(quoted(words))"
                }
            let summary = ShellWords.text([option.summary])
            return "\(start)\(short) -l \(option.name.dropFirst(2))\(value) -d \(summary)"
        }
        if !Completion.takesFiles(verb) { rows.append("\(start) -f") }
        if !actions.isEmpty {
            rows.append(
                "complete -c tapsim -n '__tapsim_verb \(verb.name); and __tapsim_first 2' -a \(quoted(actions))")
        }
        return rows
    }
}
