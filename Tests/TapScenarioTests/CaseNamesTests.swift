import TapScenario
import Testing

@Suite struct `Choosing a case` {
    private let names = CaseNames(["2", "loss", "loss"])

    @Test func `takes a number for that of a case, and only then for a name`() {
        #expect(names.indices(of: "2") == [1])
        #expect(CaseNames(["a", "7"]).indices(of: "7") == [1])
    }

    @Test func `finds every case of a name, and none where there is none`() {
        #expect(names.indices(of: "loss") == [1, 2])
        #expect(names.indices(of: "los").isEmpty)
        #expect(names.indices(of: "0").isEmpty)
    }

    @Test func `lists what there is`() { #expect("\(names)" == "1 2; 2 loss; 3 loss") }
}
