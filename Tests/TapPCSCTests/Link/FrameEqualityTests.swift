import TapCards
import TapField
import TapPCSC
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `Frames through a reader` {
    /// Models that can transfer any frame.
    private static let models = ReaderModel.allCases

    @Test(arguments: models) func `get the same answers as over a virtual link`(model: ReaderModel) async throws {
        var random = TestRandom("frames over \(model)")
        for _ in 0..<TestScale.count(15) {
            let procedure = random.pick([Procedure.ndef, .protectedNDEF, .ndefWithManyWrongPasswords, .tagDump])
            var virtual: any TagLink = VirtualLink(try procedure.world())
            var real: any TagLink = PCSCLink(ModelChannel(model.makeReader(), in: try procedure.world()))
            // A reader has selected the card on its own; a virtual reader waits for activation.
            for index in 0..<12 {
                let step = index == 0 ? .activate(.typeA(wakeUp: true)) : typeAStep(&random)
                let (expected, found) = (try await step.take(&virtual), try await step.take(&real))
                #expect(found == expected, "\(step), seed \(TestSeed.value)")
            }
        }
    }

    @Test(arguments: models) func `get the same answers from FeliCa cards as well`(model: ReaderModel) async throws {
        var random = TestRandom("packets over \(model)")
        for _ in 0..<TestScale.count(10) {
            var virtual: any TagLink = VirtualLink(try Procedure.transitCard.world())
            var real: any TagLink = PCSCLink(ModelChannel(model.makeReader(), in: try Procedure.transitCard.world()))
            for _ in 0..<12 {
                let step = feliCaStep(&random)
                let (expected, found) = (try await step.take(&virtual), try await step.take(&real))
                #expect(found == expected, "\(step), seed \(TestSeed.value)")
            }
        }
    }

    @Test(arguments: models)
    func `do not report a damaged SAK`(model: ReaderModel) async throws {
        let flip = Fault(try #require(FaultCatalogue.named("rf.flip_bits")), ["at": .integer(4)])
        let select = try #require(CommandName("a3.select"))
        var injections = 0
        for nth in 1...10 {
            var world = World(seed: 1, plan: FaultPlan([.init(flip, when: .command(select, nth: nth))]))
            world.add(NTAGCard(SampleTags.t0()), named: "tag")
            world.tap("tag")
            let channel = ModelChannel(model.makeReader(), in: world)
            var link: any TagLink = PCSCLink(channel)
            let found = try? await link.activate(.typeA(wakeUp: true), timeout: .milliseconds(20))
            if case .typeA(let tag)? = found { #expect(tag.sak == .complete, "SELECT number \(nth)") }
            injections += channel.world.plan.tallies[0].injected.count
        }
        #expect(injections > 2)
    }

    /// One call of a link.
    private enum Step {
        case activate(Target)
        case send(RFFrame)

        /// Makes the call and returns its result.
        func take(_ link: inout any TagLink) async throws -> String {
            switch self {
            case .activate(let target):
                return "\(String(describing: try await link.activate(target, timeout: .milliseconds(20))))"
            case .send(let frame):
                return "\(String(describing: try await link.transceive(frame, timeout: .milliseconds(20))))"
            }
        }
    }

    private func typeAStep(_ random: inout TestRandom) -> Step {
        let commands: [[UInt8]] = [
            ReadPages.Request(page: random.byte()).bytes, FastRead.Request(first: 0, last: 0x10).bytes,
            WritePage.Request(page: 0x10 + random.byte() & 0x0F, data: PageData(random.bytes(4))).bytes,
            GetVersion.Request().bytes, PasswordAuthentication.Request(password: SampleTags.password).bytes,
            PasswordAuthentication.Request(password: .zero).bytes, ReadCounter.Request().bytes, HLTA.Request().bytes,
            [random.byte()], random.bytes(3),
        ]
        switch random.number(below: 8) {
        case 0, 1: return .activate(.typeA(wakeUp: true))
        case 2: return .send(RFFrame(.typeA106, [random.pick([0x26, 0x52, 0x35])], bitCount: 7))
        case 3: return .send(RFFrame(.typeA106, random.pick(commands), integrity: .badCRC))
        default: return .send(RFFrame(.typeA106, random.pick(commands)))
        }
    }

    private func feliCaStep(_ random: inout TestRandom) -> Step {
        let idm = IDm(0x0101_0A10_2030_4050).ofSystem(random.number(below: 3))
        let code = SystemCode(random.pick([0x0003, 0xFE00, 0xFFFF, 0x12FC]))
        let request = Polling.RequestCode(UInt8(random.number(below: 3)))
        let polling = Polling.Request(systemCode: code, requestCode: request)
        let packets: [[UInt8]] = [
            RequestResponse.Request(idm: idm).bytes, RequestSystemCode.Request(idm: idm).bytes, polling.bytes,
            [0x06] + random.bytes(5), [UInt8(3)] + random.bytes(2),
        ]
        if random.oneIn(3) { return .activate(.felica(polling)) }
        return .send(RFFrame(.felica212, random.pick(packets)))
    }
}
