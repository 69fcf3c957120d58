import CoreNFC
import Testing

@testable import TapTesting

@Suite struct ScenarioTraitTests {
    private static let balance = "\(#filePath)".replacingOccurrences(of: "ScenarioTraitTests.swift", with: "Scenarios/")

    @Test(.scenario("Scenarios/balance.json", case: "read"))
    func theExpectationsOfAScenarioAreMet() async throws {
        #expect(try await end().alerts.last == "3120 yen")
    }

    @Test(
        .scenario("Scenarios/balance.json", case: "1"), .card(.nanaco(), isAway: true),
        .fault(.status(1, 2), when: .felicaWrite, times: "0..1"))
    func otherTraitsCanBeCombinedWithAScenario() async throws {
        try VirtualNFC.tap("suica")
        #expect(try await end().cards == ["suica"])
    }

    @Test(.scenario("Scenarios/balance.json", case: "silent"))
    func faultsOfACaseAreInjected() async throws {
        #expect(try await end().errorMessage == "The card cannot be read")
    }

    @Test(.scenario("Scenarios/uses/app.yaml", case: "1"))
    func aScenarioOfThePackageIsFoundFromAFolderAbove() async throws {
        #expect(try await end().cards == ["suica"])
    }

    @Test func anUnmetExpectationIsReportedAtTheLineOfTheScenario() async throws {
        let (told, traces) = try await findings([.scenario("Scenarios/balance.json", case: "wrong")]) {
            _ = try await end()
        }
        #expect(told.map(\.location.filePath) == Array(repeating: Self.balance + "balance.json", count: 3))
        #expect(told.map(\.location.line) == [19, 21, 22])
        #expect(told.first?.location.fileID == "TapTestingTests/balance.json")
        #expect(traces.count == 1)
    }

    @Test func anErrorInAFileIsReportedAtItsLineAndTheTestDoesNotRun() async throws {
        let (told, _) = try await findings([.scenario("Scenarios/misspelt.json")]) {
            Issue.record("the body must not run")
        }
        #expect(told.map(\.location.filePath) == [Self.balance + "misspelt.json"])
        #expect(told.map(\.location.line) == [4])
        #expect(told.first?.text.contains("did you mean `balance`?") == true)
    }

    @Test func oneOfSeveralCasesMustBeChosen() async throws {
        let (told, _) = try await findings([.scenario("Scenarios/balance.json")])
        #expect(
            told.map(\.text) == [
                ".scenario(\"Scenarios/balance.json\"): "
                    + "the file has several cases: 1 read; 2 wrong; 3 silent; choose one: `.scenario(…, case: \"…\")`"
            ])
        let (other, _) = try await findings([.scenario("Scenarios/balance.json", case: "none")])
        #expect(other.first?.text.contains("there is no case `none`") == true)
    }

    @Test func twoScenariosAreRejected() async throws {
        let line = #line + 1
        let (told, _) = try await findings([.scenario("Scenarios/declared.json"), .scenario("Scenarios/balance.json")])
        #expect(told.count == 1)
        #expect(told.first?.text.hasPrefix(".scenario(\"Scenarios/balance.json\"): the test has two scenarios") == true)
        #expect(told.map(\.location.line) == [line])
    }

    @Test func nothingOutsideThePackageIsRead() async throws {
        let (told, _) = try await findings([.scenario("../../../../../../etc/hostname")])
        #expect(told.first?.text.contains("outside") == true || told.first?.text.contains("no such file") == true)
    }

    // MARK: Info.plist

    @Test(.card(.suica(balance: 5)), .infoPlist("Scenarios/Info.plist"))
    func anInfoPlistDeclaresTheSystemsInOrder() async throws {
        let end = try await end()
        #expect(end.notes.isEmpty)
        #expect(end.errorMessage == "The card cannot be read")
    }

    @Test(.scenario("Scenarios/declared.json"))
    func aScenarioNamesTheInfoPlistNextToIt() async throws {
        #expect(try await end().notes.isEmpty)
    }

    @Test func aBinaryInfoPlistIsReadAsWell() throws {
        let xml = try Data(contentsOf: URL(fileURLWithPath: Self.balance + "Info.plist"))
        let list = try PropertyListSerialization.propertyList(from: xml, format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let text = String(decoding: TestFiles.asXML(Array(binary)), as: UTF8.self)
        #expect(text.contains("<string>FE00</string>"))
    }

    @Test(.card(.suica(balance: 5)), .systemCodes("88B4"))
    func aCardWhoseSystemIsNotDeclaredIsNotFound() async throws {
        let reader = BalanceReader()
        reader.start()
        try await VirtualNFC.pass(.seconds(60))
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
        #expect(end.cards.isEmpty)
        #expect(end.notes.contains { $0.contains("NFCReaderUsageDescription counts as declared") })
    }

    private func end() async throws -> SessionEnd {
        let reader = BalanceReader()
        reader.start()
        return try await VirtualNFC.sessionEnd()
    }
}
