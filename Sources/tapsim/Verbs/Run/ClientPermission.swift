import TapScenario

/// Whether a program that a scenario names may be started.
///
/// A scenario file may come from anybody. It starts what lies in the working directory; a program outside, one looked
/// up in `PATH` among them, only when the user says so.
enum ClientPermission {
    /// Checks all cases before the first one runs.
    ///
    /// - Throws: ``VerbError`` that names the first program that may not be started.
    static func check(_ cases: [ScenarioCase], isGranted: Bool) throws(VerbError) {
        guard !isGranted else { return }
        for scenarioCase in cases {
            guard case .program(let client)? = scenarioCase.client, let source = client.source,
                let program = client.arguments.first, !isInWorkingDirectory(program)
            else { continue }
            throw VerbError(
                .usage,
                "\(source) wants to start `\(program)`, which lies outside the working directory; allow it with --allow-client"
            )
        }
    }

    private static func isInWorkingDirectory(_ program: String) -> Bool {
        guard program.contains("/"), let path = RealPath.of(program), let directory = RealPath.of(".") else {
            // What does not exist is refused when it is started, with a sentence of its own.
            return program.contains("/") && RealPath.of(program) == nil
        }
        return RealPath.isInside(path, directory)
    }
}
