/// A service that runs tests, and the file that tells it to run scenarios.
enum ContinuousIntegration: String, CaseIterable {
    case github
    case gitlab
    case none

    /// Where its file lies below the top of a repository, or nothing if there is none.
    var path: String? {
        switch self {
        case .github: ".github/workflows/tapsim.yml"
        case .gitlab: ".gitlab-ci.yml"
        case .none: nil
        }
    }

    /// What has to be done for the file to work.
    var advice: String {
        "in the variables of your repository, set TAPSIM_URL to where CI fetches the one-file tapsim that Tools/package makes"
    }

    /// The address of the command, as a shell takes it; without one it says what is missing.
    private static let address = "\"${TAPSIM_URL:?set it in the variables of the repository}\""

    /// What its file holds.
    ///
    /// - Parameter command: The command line that runs the scenarios.
    func text(running command: String) -> String {
        switch self {
        case .github:
            """
            # Runs the scenarios of this repository. The variable TAPSIM_URL of the repository leads to the tapsim of one file that
            # Tools/package of TapSim makes; it needs no reader, no daemon and no root.
            name: TapSim
            on: [push, pull_request]
            permissions:
              contents: read
            jobs:
              scenarios:
                runs-on: ubuntu-latest
                steps:
                  - uses: actions/checkout@v4
                  - name: Fetch tapsim
                    env:
                      TAPSIM_URL: ${{ vars.TAPSIM_URL }}
                    run: |
                      curl --fail --silent --show-error --location --output "$RUNNER_TEMP/tapsim" \(Self.address)
                      chmod +x "$RUNNER_TEMP/tapsim"
                      echo "$RUNNER_TEMP" >> "$GITHUB_PATH"
                  # Build or install your client before this line; scenarios name it, or the last command does behind `--`.
                  - run: tapsim fmt --check Scenarios
                  - run: \(command)

            """
        case .gitlab:
            """
            # Runs the scenarios of this repository. The variable TAPSIM_URL of the project leads to the tapsim of one file that
            # Tools/package of TapSim makes; it needs no reader, no daemon and no root.
            scenarios:
              image: debian:stable-slim
              before_script:
                - apt-get update -qq && apt-get install -qq --yes curl ca-certificates
                - curl --fail --silent --show-error --location --output /usr/local/bin/tapsim \(Self.address)
                - chmod +x /usr/local/bin/tapsim
              script:
                # Build or install your client before this line; scenarios name it, or the last command does behind `--`.
                - tapsim fmt --check Scenarios
                - \(command)

            """
        case .none: ""
        }
    }
}
