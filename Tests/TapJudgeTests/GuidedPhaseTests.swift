import TapCards
import TapField
import TapJudge
import TapScenario
import TapWire
import TestSupport
import Testing

/// Exchanges and calls of a client that finds a card and reads it three times over PC/SC.
private let places = FaultLocation.all(of: exchanges) + FaultLocation.all(of: [PCSCCall.connect, .transmit, .transmit])

private let exchanges: [Exchange] = {
    var world = World(seed: 1, trace: Trace())
    if let card = try? CardS.card() { world.add(card, named: "card") }
    world.tap("card")
    let polling = RFFrame(.felica212, Polling.Request(systemCode: .transit).bytes)
    _ = world.exchange(polling, waiting: .milliseconds(100))
    let answer = world.trace.exchanges.first?.answers.first?.frame.bytes ?? []
    let idm = IDm(UInt64(octets: answer.dropFirst(2).prefix(8)))
    for block in 0..<3 as Range<UInt16> {
        let request = ReadWithoutEncryption.Request(
            idm: idm, services: [NodeCode(0x090F)], blocks: [BlockListElement(blockNumber: block)])
        _ = world.exchange(RFFrame(.felica212, request.bytes), waiting: .milliseconds(100))
    }
    return world.trace.exchanges
}()

private let runs = FaultCatalogue.all.flatMap { kind in
    places.filter { $0.admits(kind) }.map { FuzzRun(Fault(kind), at: $0) }
}

@Suite struct `The choices of a campaign` {
    private let space = FuzzSpace(runs)

    @Test func `turn every byte sequence into a run whose name reproduces it`() throws {
        var random = TestRandom()
        for _ in 0..<2_000 {
            let bytes = random.bytes(random.number(below: 5 * FuzzSpace.bytesPerFault))
            guard let run = space.run(from: bytes) else {
                #expect(bytes.count < FuzzSpace.bytesPerFault, "seed \(TestSeed.value)")
                continue
            }
            #expect((1...FuzzSpace.maximumFaults).contains(run.injections.count))
            #expect(try FuzzRun(named: run.name, among: places) == run, "\(run.name), seed \(TestSeed.value)")
        }
    }

    @Test func `ignore bytes that are left over`() {
        var random = TestRandom()
        let bytes = random.bytes(FuzzSpace.bytesPerFault)
        #expect(space.run(from: bytes + random.bytes(FuzzSpace.bytesPerFault - 1)) == space.run(from: bytes))
        #expect(space.run(from: []) == nil)
    }

    @Test func `move to a case with fewer exchanges, at the same command`() throws {
        let run = try FuzzRun(named: "rf.silence@4+felica.status@3", among: places)
        let fewer = FaultLocation.all(of: Array(exchanges.prefix(2)))
        #expect(run.moved(to: fewer)?.name == "felica.status@2+rf.silence@2")
        #expect(run.moved(to: FaultLocation.all(of: Array(exchanges.prefix(1)))) == nil)
        #expect(run.moved(to: places) == run)
    }

    @Test func `reach every fault`() {
        let rest = [UInt8](repeating: 0, count: FuzzSpace.bytesPerFault - 2)
        let heads = (0...UInt16.max).map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let names = Set(heads.compactMap { space.run(from: $0 + rest)?.fault.kind.name })
        #expect(names == Set(runs.map(\.fault.kind.name)))
    }

    @Test(arguments: FaultCatalogue.all.filter { !$0.parameters.isEmpty })
    func `reach the limits of every parameter`(kind: FaultKind) {
        for (index, parameter) in kind.parameters.enumerated() {
            guard case .integer(let bounds) = parameter.kind else { continue }
            // Non-default arguments; the parameters before this one keep their defaults.
            let head = [UInt8(kind.variants.count)] + Array(repeating: 0, count: index)
            var drawn: Set<FaultValue> = []
            for choice in UInt8.min...UInt8.max {
                // A parameter with suggested values needs one more choice to draw another value.
                for tail in [[1, choice], [1, 1, choice]] {
                    var choices = Choices(head + tail)
                    let arguments = Fault(kind, drawnFrom: &choices).arguments.written
                    if let argument = arguments.first(where: { $0.name == parameter.name }) {
                        drawn.insert(argument.value)
                    }
                }
            }
            let ends: Set<FaultValue> = [.integer(bounds.lowerBound), .integer(bounds.upperBound)]
            #expect(drawn.isSuperset(of: ends), "\(parameter.name)")
        }
    }

    @Test func `put each boundary value into header lengths and counts, one at a time`() {
        let edits = space.preferredEdits.compactMap { space.run(from: $0) }
        #expect(edits.allSatisfy { $0.injections.count == 1 && $0.fault.fix.isEmpty })
        let names = Set(edits.map(\.name))
        #expect(names.count == edits.count && edits.count == space.preferredEdits.count)
        #expect(
            names.isSuperset(of: [
                "rf.bytes:at=10:set=FF@2", "rf.bytes:at=0@4", "rf.bytes:at=0:add=2@4",
                "reader.bytes:at=-3:set=7FFFFFFF@3",
            ]))
    }

    @Test func `edit headers at no more than 64 places, however long the run`() throws {
        let kind = try #require(FaultCatalogue.named("rf.bytes"))
        let many = FaultLocation.all(of: Array(repeating: exchanges, count: 30).flatMap(\.self)).filter {
            $0.admits(kind)
        }
        let space = FuzzSpace(many.map { FuzzRun(Fault(kind), at: $0) })
        #expect(many.count > 64)
        #expect(Set(space.preferredEdits.compactMap { space.run(from: $0)?.place }) == Set(many.prefix(64)))
    }

    @Test(arguments: [
        ("rf.silenc@2", "there is no fault"), ("rf.silence@9", "has no place `9`"),
        ("rf.delay:by=x@2", "`by` of `rf.delay` must be"),
        ("rf.delay:of=3@2", "has no parameter `of`"), ("pcsc.slow@2", "cannot be injected at exchange 2"),
        ("rf.silence@2+", "has no place"), ("", "has no place"),
    ])
    func `report what is wrong with a name`(name: String, reason: String) {
        #expect { try FuzzRun(named: name, among: places) } throws: { "\($0)".contains(reason) }
    }
}

@Suite struct `The guided phase` {
    private func phase(seed: UInt64) -> GuidedPhase {
        var phase = GuidedPhase(FuzzSpace(runs), seed: seed, "1/1")
        for run in runs.prefix(40) { phase.learn(run, steps(of: run)) }
        return phase
    }

    /// A client whose next step depends on the faults it meets.
    private func steps(of run: FuzzRun) -> Set<Transition> {
        var world = World(seed: 1, plan: run.plan, trace: Trace())
        world.tap("nothing")
        return RunRecord(world: world, client: ClientReport(end: .exit(Int32(run.name.utf8.count % 9))))
            .transitions(to: run.injections.count > 1 ? .crash : .correct)
    }

    @Test func `plans the same runs for the same seed, without duplicates`() {
        var (one, same, other) = (phase(seed: 5), phase(seed: 5), phase(seed: 6))
        var names: Set<String> = []
        for _ in 0..<12 {
            let runs = one.next()
            #expect(runs == same.next())
            #expect(runs != other.next())
            for run in runs { #expect(names.insert(run.name).inserted, "\(run.name)") }
            for run in runs {
                one.learn(run, steps(of: run))
                same.learn(run, steps(of: run))
            }
        }
        #expect(names.isDisjoint(with: runs.prefix(40).map(\.name)))
        #expect(names.contains { $0.contains("+") } && names.contains { $0.contains("=") })
    }

    @Test func `plans every header edit early, with other runs in between`() {
        var phase = phase(seed: 5)
        let edits = Set(FuzzSpace(runs).preferredEdits.compactMap { FuzzSpace(runs).run(from: $0)?.name })
        var left = edits
        var count = 0
        while !left.isEmpty, count < 3 * edits.count {
            let made = phase.next()
            count += made.count
            left.subtract(made.map(\.name))
            for run in made { phase.learn(run, []) }
        }
        #expect(left.isEmpty, "\(left.count) of \(edits.count)")
        #expect(count > edits.count + 256)
    }

    @Test func `pairs faults of an earlier campaign even if their effects are unknown`() {
        var phase = GuidedPhase(FuzzSpace(runs), seed: 5, "1/1")
        for run in runs.prefix(40) { phase.learn(run, nil) }
        let pairs = phase.next()
        #expect(!pairs.isEmpty && pairs.allSatisfy { $0.injections.count == 2 })
    }

    @Test func `continues from what an earlier phase has kept, with new runs`() throws {
        // With the bytes of an arbitrary seed, two could be the same run.
        var random = TestRandom(seed: 1)
        let rows = (0..<4).map { _ in random.bytes(FuzzSpace.bytesPerFault) }
        let space = FuzzSpace(runs)
        let result = { (kept: [[UInt8]]) in
            GuidedResult(runCount: 90, outcomes: [.crash: 2], stepCount: 7, kept: kept, findings: [])
        }
        var (one, other) = (phase(seed: 5), phase(seed: 5))
        one.resume(result(rows))
        other.resume(result([]))
        let faults = Set(rows.compactMap { space.run(from: $0) }.flatMap(\.injections))
        #expect(
            one.next().prefix(rows.count).allSatisfy { faults.isSuperset(of: $0.injections) })
        var fresh = phase(seed: 5)
        #expect(other.next() != fresh.next())
    }

    @Test func `takes and keeps no choices beyond those of faults`() async {
        var random = TestRandom()
        let rows = [0, 1, 16, 17, 64, 80].map { random.bytes($0) }
        var phase = phase(seed: 5)
        phase.resume(GuidedResult(runCount: 9, outcomes: [:], stepCount: 7, kept: rows, findings: []))
        for _ in 0..<40 { for run in phase.next() { phase.learn(run, nil) } }
        let result = await phase.results(knowing: [], adding: GuidedResult(), atMost: 0, until: { true }) { _, _ in [] }
        #expect(result.kept.prefix(2) == [rows[2], rows[4]], "seed \(TestSeed.value)")
        #expect(result.kept.count > 100 && result.kept.allSatisfy { [16, 32, 48, 64].contains($0.count) })
    }

    @Test func `ends if there is nothing left to combine`() throws {
        let few = runs.filter { $0.name == "rf.silence@2" || $0.name == "rf.bad_crc@3" }
        var phase = GuidedPhase(FuzzSpace(few), seed: 1, "1/1")
        var count = 0
        while case let runs = phase.next(), !runs.isEmpty {
            count += runs.count
            try #require(count < 5_000)
            for run in runs { phase.learn(run, []) }
        }
        #expect(count > 2)
        var empty = GuidedPhase(FuzzSpace([]), seed: 1, "1/1")
        #expect(empty.next().isEmpty)
    }
}

@Suite struct `Shrinking a run` {
    private func shrunk(_ name: String, while isFound: (FuzzRun) -> Bool) throws -> (name: String, tries: Int) {
        var shrinking = Shrinking(try FuzzRun(named: name, among: places), among: places)
        while let run = shrinking.next() {
            if isFound(run) { shrinking.accept(run) }
        }
        return (shrinking.run.name, shrinking.tries)
    }

    @Test func `removes faults, arguments and repaired fields that do not matter`() throws {
        let found = try shrunk("rf.silence@2+rf.flip_bits:count=9:apart=3:fix=crc@4+pcsc.slow@c2") { run in
            run.injections.contains { $0.fault.kind.name == "rf.flip_bits" && $0.fault.fix == [.crc] }
        }
        #expect(found.name == "rf.flip_bits:fix=crc@2")
    }

    @Test func `moves numbers towards their default, and keeps what is needed`() throws {
        let found = try shrunk("rf.flip_bits:count=4000@3+rf.silence@4") { run in
            let names = run.injections.map(\.fault.kind.name)
            let counts = run.injections.compactMap { $0.fault.arguments.written.first?.value }
            return names.contains("rf.silence")
                && counts.contains { if case .integer(16...) = $0 { true } else { false } }
        }
        #expect(found.name.contains("rf.silence@2") && found.name.contains("count=1") && !found.name.contains("4000"))
        #expect(found.tries <= Shrinking.mostTries)
    }

    @Test func `halves bytes and times while the client's behavior stays the same`() throws {
        let bytes = try shrunk("rf.bytes:at=4:set=A1A2A3A4A5A6A7@3") { run in
            run.fault.arguments.written.contains {
                if case .bytes(let bytes) = $0.value { bytes.starts(with: [0xA1, 0xA2]) } else { false }
            }
        }
        #expect(bytes.name.contains("set=A1A2A3@2"), "\(bytes.name)")
        let first = try shrunk("rf.bytes:at=4:set=A1A2A3A4A5A6A7@3") { run in
            run.fault.arguments.written.contains { $0.name == "set" }
        }
        #expect(first.name.contains("set=A1@2"), "\(first.name)")
        let time = try shrunk("rf.delay:by=1600ms@3") { run in
            run.fault.arguments.written.contains {
                if case .time(.duration(let time)) = $0.value { time >= .milliseconds(300) } else { false }
            }
        }
        #expect(time.name.contains("by=4") && time.name.hasSuffix("ms@2"), "\(time.name)")
    }

    @Test func `ends within its limit, whatever the client does`() throws {
        let name = "rf.delay:by=3ms@3+rf.flip_bits:at=4000:count=4000:apart=90:fix=len,crc@4+rf.cut:keep_bytes=900@4"
        var random = TestRandom()
        #expect(try shrunk(name) { _ in false }.name == name)
        for _ in 0..<50 {
            let found = try shrunk(name) { _ in random.oneIn(2) }
            #expect(found.tries <= Shrinking.mostTries, "seed \(TestSeed.value)")
        }
    }
}
