import TapClient
import TapFuzz
import TapJudge
import TapScenario
import TapWire
import Testing

private let card = "suica:balance=3120,trips=20"

private func report(
    _ mistake: TripReader.Mistake?, only: [String] = [], except: [String] = [], guidedRuns: Int = 0
) async throws -> FuzzReport {
    try await Fuzzing.run(card, only: only, except: except, guidedRuns: guidedRuns, patience: .milliseconds(200)) {
        link in try await TripReader(mistake: mistake).read(from: &link)
    }
}

private actor RunCounter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

@Suite struct `Fuzzing of a function over a link` {
    @Test func `finds nothing in a correct client`() async throws {
        // Faults that change data in a successful answer, which this reader does not cross-check.
        let unseen = ["reorder", "repeat_block", "zero_blocks", "torn_block", "cyclic_shift"].map { "felica.\($0)" }
        let report = try await Fuzzing.run(card, except: unseen + ["rf.bytes"], guidedRuns: 100) { link in
            var reader = CardReader(link)
            let card = try await reader.readTransitCard()
            return "\(card.balance) \(card.history.trips)"
        }
        let isClean = report.isClean
        #expect(isClean)
        #expect(report.issues == [])
        #expect(report.runCount > 200)
    }

    @Test func `finds a wrong byte order without any fault`() async throws {
        let report = try await report(.byteOrder, only: ["card.*"])
        #expect(!report.isClean && report.causes.isEmpty)
        let told =
            "wrong result: on its card it returns 12300 where the balance is 3120, with its bytes in the other order"
        let cause = "wrong result, without any fault: it returns a balance with its bytes in the other order"
        #expect(report.issues == ["\(told), without any fault\ncause:  \(cause)"])
    }

    @Test(arguments: [0, 1]) func `finds on control cards that the last trip is never shown`(left: Int)
        async throws
    {
        let report = try await Fuzzing.run(card, only: ["card.*"]) { link in
            var reader = CardReader(link)
            return try await reader.readTransitCard().history.trips.dropLast(left).map(\.record.balance)
        }
        #expect(report.faultlessCauses.count == left, "\(report.issues)")
        #expect(report.issues.allSatisfy { $0.contains("alone:  only: [\"card.*\"]") })
        #expect(report.runCount > 5)
    }

    @Test func `warns about a list that never contains the last record of a full card`() async throws {
        let report = try await Fuzzing.run(card, only: ["card.*"]) { link in
            var reader = CardReader(link)
            return try await reader.readTransitCard().history.trips.prefix(19).map(\.record.balance)
        }
        #expect(report.isClean, "\(report.issues)")
        #expect(report.warnings.map(\.text) == ["returns 19 of 20 values of balance"])
    }

    @Test func `ends at a control card on which the client hangs`() async throws {
        let report = try await Fuzzing.run(card, patience: .milliseconds(200)) { link in
            var reader = CardReader(link)
            let trips = try await reader.readTransitCard().history.trips
            if trips.isEmpty { unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            return trips.map(\.record.balance)
        }
        #expect(report.isCutShort && report.causes.isEmpty && report.grid.entries.isEmpty)
        #expect(report.faultlessCauses.map(\.found[0].finding.outcome) == [.hang])
        #expect(
            report.issues.first?.contains("note:   the campaign ended at card.trips-0, after ") == true,
            "\(report.issues)")
    }

    @Test func `finds that a client ignores status flags`() async throws {
        let report = try await report(.status, only: ["felica.*"])
        let faults = report.causes.flatMap(\.faults)
        #expect(faults.contains("felica.status"))
    }

    @Test func `finds that a client accepts a stale answer`() async throws {
        let report = try await report(.stale, only: ["rf.stale"])
        #expect(report.causes.map(\.finding.outcome) == [.wrongResult])
    }

    @Test(arguments: [1, 3]) func `accepts a shifted history once the client rereads it`(attempts: Int)
        async throws
    {
        let report = try await Fuzzing.run(card, only: ["felica.cyclic_shift"], guidedRuns: 200) { link in
            var reader = CardReader(link)
            var balances = try await reader.readTransitCard().history.trips.map(\.record.balance)
            for _ in 1..<attempts {
                let again = try await reader.readTransitCard().history.trips.map(\.record.balance)
                if again == balances { break }
                balances = again
            }
            return balances
        }
        #expect(report.grid.entries.count > 1)
        #expect(report.isClean == (attempts > 1), "\(report.issues)")
    }

    @Test func `reports the fault that causes the failure, not a harmless fault next to it`()
        async throws
    {
        let report = try await Fuzzing.run(card, only: ["felica.zero_blocks@5+rf.silence@22"]) { link in
            let found = try await TripReader().read(from: &link)
            _ = try? await link.activate(.felica(Polling.Request(systemCode: .transit)), timeout: .milliseconds(100))
            return found
        }
        #expect(report.causes.map(\.key) == ["plausible content of felica.read"])
    }

    @Test func `finds that a client mistakes an error for the end of a list`() async throws {
        let report = try await report(.lossy, only: ["rf.silence"])
        #expect(report.causes.count == 1)
        #expect(report.causes.first?.finding.outcome == .silentLoss)
        #expect(report.causes.first?.entries.count == 19)
    }

    @Test(arguments: [TripReader.Mistake.loop, .deafLoop])
    func `finds a client that retries forever`(_ mistake: TripReader.Mistake) async throws {
        let report = try await report(mistake, only: ["rf.lose_tag"])
        #expect(report.causes.map(\.finding.outcome) == [.livelock])
        #expect(!report.isCutShort)
    }

    @Test(arguments: [TripReader.Mistake.wait, .spin])
    func `finds a client that never ends, and ends the campaign there`(_ mistake: TripReader.Mistake) async throws {
        let report = try await report(mistake, only: ["rf.silence"])
        #expect(report.causes.map(\.finding.outcome) == [.hang])
        #expect(report.isCutShort)
        #expect(report.runCount == 2)
        #expect(report.issues.first?.contains("note:   the campaign ended at rf.silence@2, after 2 runs") == true)
    }

    @Test func `reports that it ended at a hang even if the hang is known`() async throws {
        let report = try await Fuzzing.run(card, only: ["rf.silence"], known: ["hang*"], patience: .milliseconds(200)) {
            link in try await TripReader(mistake: .wait).read(from: &link)
        }
        #expect(report.causes.map(\.isKnown) == [true])
        #expect(report.issues.count == 1)
        #expect(report.issues.first?.hasSuffix("skip it with `except: [\"rf.silence@2\"]`") == true)
    }

    @Test func `compares sets of bytes in any order`() async throws {
        let runs = RunCounter()
        let report = try await Fuzzing.run(card, only: ["rf.silence"]) { link in
            let found = try await TripReader().read(from: &link)
            // The order of a set depends on its capacity.
            var bytes = await Set<UInt8>(minimumCapacity: 64 << (runs.next() % 4))
            for trip in found.trips { bytes.formUnion(trip.utf8) }
            return bytes
        }
        #expect(report.isClean, "\(report.issues)")
    }

    @Test func `performs the same runs with the same seed`() async throws {
        let first = try await report(.lossy, only: ["rf.*"], guidedRuns: 40)
        let second = try await report(.lossy, only: ["rf.*"], guidedRuns: 40)
        #expect(first.issues == second.issues)
        let isSame = first.grid == second.grid
        #expect(isSame)
        #expect(first.summary.hasSuffix("seed 1"))
    }

    @Test func `reports a cause with the scenario lines that reproduce it`() async throws {
        let report = try await report(.lossy, only: ["rf.silence"])
        #expect(
            report.issues == [
                """
                silent loss, after rf.silence at exchange 3, felica.read 2: `/trips` has 1 of 20 items, and it returns
                alone:  only: ["rf.silence@3"]
                seen:   19 runs with rf.silence
                cause:  unchecked failed exchanges
                faults: [{when: {command: felica.read, nth: 2}, do: rf.silence}]

                """
            ])
    }

    @Test func `can repeat a single run`() async throws {
        let report = try await report(.lossy, only: ["rf.silence@5"])
        #expect(report.runCount == 1)
        #expect(report.causes.first?.shortest.run.name == "rf.silence@5")
    }

    @Test func `can repeat a single run with several faults`() async throws {
        let report = try await report(.lossy, only: ["rf.delay@3+rf.silence@5"])
        #expect(report.runCount == 1)
        #expect(report.causes.count == 1)
    }

    @Test func `skips excluded faults`() async throws {
        let report = try await report(.lossy, only: ["rf.*"], except: ["rf.silence"])
        #expect(report.grid.faultNames.allSatisfy { $0.hasPrefix("rf.") && !$0.hasPrefix("rf.silence") })
    }
}

@Suite struct `A campaign that cannot start` {
    private func problem(_ body: () async throws -> FuzzReport) async -> String {
        do {
            let report = try await body()
            return "no error: \(report.summary)"
        } catch {
            return "\(error)"
        }
    }

    @Test func `reports a pattern that matches no fault`() async {
        #expect(
            await problem { try await report(nil, only: ["rf.silense"]) }
                == "`only: [\"rf.silense\"]` matches no fault; did you mean `rf.silence`? docs/faults.md lists them")
        #expect(
            await problem { try await report(nil, except: ["nothing"]) }
                .hasPrefix("`except: [\"nothing\"]` matches no fault"))
    }

    @Test func `reports a run that the client does not have`() async {
        #expect(
            await problem { try await report(nil, only: ["rf.silence@99"]) }
                == "`only: [\"rf.silence@99\"]` names no run of this client: the baseline run has no place `99`; "
                + "it has exchanges 1 to 21")
    }

    @Test func `reports that no requested fault can be injected`() async {
        let text = await problem { try await report(nil, only: ["ntag.nak"]) }
        #expect(text.hasPrefix("no fault requested as `ntag.nak` can be injected; the baseline run has exchange 1"))
    }

    @Test func `reports that the client reaches no card`() async {
        #expect(
            await problem { try await Fuzzing.run(card) { _ in 3120 } }
                == "the client reaches no card in its baseline run, so no fault can be injected")
    }

    @Test func `reports that the client fails without faults`() async {
        let text = await problem { try await Fuzzing.run("blank") { link in try await TripReader().read(from: &link) } }
        #expect(
            text
                == "the campaign needs three baseline runs with the same result, but got a client that fails without any "
                + "fault, in baseline run 1: clear error: it throws: noCard; fix that first")
    }

    @Test func `reports that the client's results vary`() async {
        let text = await problem {
            try await Fuzzing.run(card) { link in
                _ = try await TripReader().read(from: &link)
                return "\(ContinuousClock.now)"
            }
        }
        #expect(text.hasSuffix("return a value without the parts that differ from run to run"))
    }

    @Test func `reports what is wrong with the card`() async {
        let text = await problem { try await Fuzzing.run("suika") { _ in } }
        #expect(text.hasPrefix("the card: "))
    }
}
