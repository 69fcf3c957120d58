import TapDocument

/// The steps of a CI service: install tapsim, prepare the client, run the scenarios, keep the results.
struct Pipeline {
    enum Service: String, CaseIterable {
        case github
        case gitlab
        case none

        /// The path of the service's file below the top of a repository, if any.
        var path: String? {
            switch self {
            case .github: ".github/workflows/tapsim.yml"
            case .gitlab: ".gitlab-ci.yml"
            case .none: nil
            }
        }
    }

    /// The command that installs tapsim.
    var install: String
    /// The Debian and Ubuntu packages that the client needs.
    var packages: [String]
    /// The commands that prepare the client.
    var setup: [String]
    /// The command that runs the scenarios.
    var run: String
    /// The lines that explain why the command has `--allow-client`, if it does.
    var permission: [String]

    /// The file for the results.
    static let results = "tapsim.xml"

    func text(for service: Service) -> String {
        switch service {
        case .github: github
        case .gitlab: gitlab
        case .none: ""
        }
    }

    private var github: String {
        var lines = [
            "# Runs the scenarios of this repository, without a reader, a daemon or root. If a case fails, its line is annotated,",
            "# the summary has a table, and the artefact tapsim-runs contains a page to open in a browser.",
            "name: TapSim",
            "on: [push, pull_request]",
            "permissions:",
            "  contents: read",
            "jobs:",
            "  scenarios:",
            "    runs-on: ubuntu-latest",
            "    steps:",
            "      - uses: actions/checkout@v4",
            "      - uses: actions/setup-python@v5",
            "        with: {python-version: \"3.x\"}",
            "      - name: Install tapsim",
            "        run: \(Self.scalar(install))",
        ]
        for command in preparation("sudo ") { lines += ["      - run: \(Self.scalar(command))"] }
        lines += permission.map { "      # \($0)" }
        lines += [
            "      - name: Run the scenarios",
            "        run: \(Self.scalar(run))",
            "      - name: Keep the results",
            "        if: always()",
            "        uses: actions/upload-artifact@v4",
            "        with:",
            "          name: tapsim-runs",
            "          path: |",
            "            .tapsim/runs",
            "            \(Self.results)",
            "          include-hidden-files: true",
            "          if-no-files-found: ignore",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private var gitlab: String {
        var lines = [
            "# Runs the scenarios of this repository, without a reader, a daemon or root. The merge request shows the failed cases,",
            "# and the artefacts contain a page for each of them, to open in a browser.",
            "scenarios:",
            "  image: python:3.13-slim",
            "  script:",
        ]
        lines += ([install] + preparation()).map { "    - \(Self.scalar($0))" }
        lines += permission.map { "    # \($0)" }
        lines += [
            "    - \(Self.scalar(run))",
            "  artifacts:",
            "    when: always",
            "    paths: [.tapsim/runs, \(Self.results)]",
            "    reports: {junit: \(Self.results)}",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commands between installing tapsim and the run.
    ///
    /// - Parameter root: A prefix for commands that need root; GitLab's images run as root.
    private func preparation(_ root: String = "") -> [String] {
        guard !packages.isEmpty else { return setup }
        return [
            "\(root)apt-get update", "\(root)apt-get install --yes \(packages.joined(separator: " "))",
        ] + setup
    }

    /// Returns a command as a YAML scalar: plain if nothing in it has a special meaning, else quoted as in JSON.
    private static func scalar(_ command: String) -> String {
        let isPlain = command.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || " ./=_-@+~".unicodeScalars.contains(scalar))
        }
        let beginsWithLetter = command.unicodeScalars.first?.properties.isAlphabetic == true
        return isPlain && beginsWithLetter ? command : JSONWriter.text(.text(command))
    }
}
