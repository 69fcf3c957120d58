import TapWire

extension Verb {
    static let completions = Verb(
        name: "completions",
        usages: Shell.allCases.map(\.rawValue),
        summary: "Print a script for command completion in a shell.",
        examples: [Example("Load completions in this bash", "source <(tapsim completions bash)")],
        details: """
            The Debian and Ubuntu packages and the tar file install these scripts. To load one
            yourself, add a line to the shell's startup file:

              source <(tapsim completions bash)       # ~/.bashrc
              source <(tapsim completions zsh)        # ~/.zshrc, after compinit
              tapsim completions fish | source        # ~/.config/fish/config.fish
            """,
        options: [],
        run: { arguments, context in
            guard let word = arguments.operands.first, arguments.operands.count == 1 else {
                throw UsageError("name a shell: \(ListText.choice(Shell.allCases.map(\.rawValue)))")
            }
            let shell: Shell = try Arguments.word(word, of: "completions")
            context.console.printAsIs(shell.script)
            return .passed
        })
}

/// A shell that asks `tapsim complete` for the candidates at the cursor.
private enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    // Bash splits words at `=` and `:`, and replaces only the last part.
    private static let bashScript = #"""
        _tapsim() {
            local words word=${COMP_WORDS[COMP_CWORD]} start candidate IFS=$' \t\n'
            read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
            [[ ${COMP_LINE:0:COMP_POINT} != *[[:space:]] ]] || words+=('')
            [[ $word != [=:] ]] || word=
            start=${words[${#words[@]} - 1]%"$word"}
            COMPREPLY=()
            while IFS=$'\t' read -r candidate _; do
                if [[ $candidate == :files ]]; then
                    compopt -o filenames 2>/dev/null
                    IFS=$'\n'
                    COMPREPLY+=($(compgen -f -- "$word"))
                else
                    [[ $candidate != *[=:] ]] || compopt -o nospace 2>/dev/null
                    COMPREPLY+=("${candidate#"$start"}")
                fi
            done < <("$1" complete "${words[@]:1}" 2>/dev/null)
        }
        complete -F _tapsim tapsim

        """#

    // The first line names the command that a file in zsh's `fpath` completes.
    private static let zshScript = #"""
        #compdef tapsim
        _tapsim() {
            local line candidate; local -a names texts
            for line in "${(@f)$("${(@Q)words[1]}" complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
                candidate=${line%%$'\t'*}
                case $candidate in
                    '') ;;
                    :files) compset -P '--*='; _files ;;
                    *[=:]) compadd -S '' -- "$candidate" ;;
                    *) names+=("$candidate") texts+=("${line/$'\t'/  -- }") ;;
                esac
            done
            compadd -l -d texts -a names
        }
        if [[ ${funcstack[1]} == _tapsim ]]; then _tapsim "$@"; else compdef _tapsim tapsim; fi

        """#

    private static let fishScript = #"""
        function __tapsim_complete
            set -l words (commandline -opc) (commandline -ct)
            for line in ($words[1] complete $words[2..] 2>/dev/null)
                if test $line = :files
                    set -l option (string match -r -- '^--[^=]*=' $words[-1])
                    for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $words[-1]))
                        echo "$option$path"
                    end
                else
                    echo $line
                end
            end
        end
        complete -c tapsim -f -a '(__tapsim_complete)'

        """#
}
