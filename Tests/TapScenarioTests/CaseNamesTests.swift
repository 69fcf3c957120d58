import TapScenario
import Testing

@Suite struct `Choosing a case` {
    private let names = CaseNames(["2", "loss", "loss"])

    @Test func `treats a number as a case number first and as a name second`() {
        #expect(names.indices(of: "2") == [1])
        #expect(CaseNames(["a", "7"]).indices(of: "7") == [1])
    }

    @Test func `finds all cases with a name, or none`() {
        #expect(names.indices(of: "loss") == [1, 2])
        #expect(names.indices(of: "los").isEmpty)
        #expect(names.indices(of: "0").isEmpty)
    }

    @Test func `lists the cases`() { #expect("\(names)" == "1 2; 2 loss; 3 loss") }
}
