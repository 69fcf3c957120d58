import TapScenario
import TapSystem
import Testing

@testable import TapRun

@Suite struct `An audit of a suite` {
    @Test(arguments: [
        ([], nil, "-rpfE"), ([], "-x", "-x -rpfE"), (["-q"], "-x", "-q -rpfE"), (["-q", "--lf"], nil, "--lf -rpfE"),
    ])
    func `adds to the pytest options of the scenario or the environment`(
        scenario: [String], environment: String?, options: String
    ) {
        let variables = scenario.map { ProgramClient.Variable("PYTEST_ADDOPTS", $0) }
        let client = ProgramClient(["pytest"], environment: variables)
        let surroundings = Surroundings(variables: ["PYTEST_ADDOPTS": environment ?? ""])
        #expect(SuiteAudit.pytestOptions(of: client, in: surroundings) == options)
    }
}
