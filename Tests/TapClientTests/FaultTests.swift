import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

/// A procedure and the part of its result that must never change because of a fault.
struct Procedure: Sendable, CustomTestStringConvertible {
    let name: String
    let engine: @Sendable () throws -> any CardEngine
    /// The faults that the card of this procedure can show.
    let faults: [Fault]
    let run: @Sendable (inout CardReader<FaultyLink>) async throws -> AnyHashable

    var testDescription: String { name }

    /// A reader with a card and with faults at some calls.
    static func reader(before card: any CardEngine, _ fault: Fault, at calls: Range<Int>) -> CardReader<FaultyLink> {
        var world = World(seed: 1)
        world.add(card, named: "card")
        world.tap("card")
        return CardReader(FaultyLink(VirtualLink(world), fault, at: calls))
    }

    static let felicaFaults: [Fault] = [
        .lostCommand, .lostAnswer, .damaged, .wrongIDm, .wrongCode, .short, .long, .empty,
    ]
    static let type2Faults: [Fault] = [.lostCommand, .lostAnswer, .damaged, .short, .long, .empty, .ack, .nak]

    static let all: [Procedure] = [
        Procedure(name: "transit card", engine: { try ClientCards.transit() }, faults: felicaFaults) {
            try await $0.readTransitCard()
        },
        Procedure(name: "electronic money", engine: { try ClientCards.money() }, faults: felicaFaults) {
            try await $0.readElectronicMoney()
        },
        Procedure(name: "dump of a FeliCa card", engine: { try CardS.card() }, faults: felicaFaults) {
            let dump = try await $0.dumpFeliCa()
            // A card that is silent in both attempts at listing looks like a card that does not support it; the dump reports
            // this.
            let isComplete = dump.listsSystems && dump.systems.allSatisfy(\.listsNodes)
            return isComplete ? AnyHashable(dump) : AnyHashable("incomplete")
        },
        Procedure(
            name: "Type 3 tag", engine: { try ClientCards.type3(ClientCards.message(ofByteCount: 200)) },
            faults: felicaFaults
        ) { try await $0.readNDEF() },
        Procedure(name: "NDEF of an NTAG215", engine: { NTAGCard(SampleTags.t0()) }, faults: type2Faults) {
            try await $0.readNDEF().message
        },
        Procedure(name: "protected NDEF", engine: { NTAGCard(SampleTags.t1()) }, faults: type2Faults) {
            try await $0.readNDEF(password: SampleTags.password, expecting: SampleTags.pack).message
        },
        Procedure(name: "pages of an NTAG213", engine: { NTAGCard(SampleTags.t0(.ntag213)) }, faults: type2Faults) {
            try await $0.activateType2()
            let run = try await $0.readPages(0..<45)
            return run.refusal == nil ? AnyHashable(run.pages) : AnyHashable("refused")
        },
    ]
}

@Suite struct `A reader with link faults` {
    @Test(arguments: Procedure.all)
    func `returns an error or the correct result, never a wrong result`(procedure: Procedure) async throws {
        let card = try procedure.engine()
        var undisturbed = Procedure.reader(before: card, .damaged, at: 0..<0)
        let expected = try await procedure.run(&undisturbed)
        for fault in procedure.faults {
            for first in 0..<undisturbed.link.callCount {
                for count in 1...2 {
                    var reader = Procedure.reader(before: card, fault, at: first..<first + count)
                    do {
                        let result = try await procedure.run(&reader)
                        let isAdmitted = result == expected || result is String
                        #expect(isAdmitted, "\(fault) at call \(first), \(count) times: \(result)")
                    } catch {
                        #expect(error is ClientError, "\(fault) at call \(first)")
                        #expect("\(error)".contains(";") || "\(error)".contains(":"), "\(error)")
                    }
                }
            }
        }
    }

    @Test(arguments: Procedure.all.filter { $0.faults == Procedure.felicaFaults })
    func `survives a single lost or damaged answer of a FeliCa card`(procedure: Procedure) async throws {
        let card = try procedure.engine()
        var undisturbed = Procedure.reader(before: card, .damaged, at: 0..<0)
        let expected = try await procedure.run(&undisturbed)
        for fault in [Fault.lostCommand, .lostAnswer, .damaged] {
            for call in 0..<undisturbed.link.callCount {
                var reader = Procedure.reader(before: card, fault, at: call..<call + 1)
                #expect(try await procedure.run(&reader) == expected, "\(fault) at call \(call)")
            }
        }
    }

    @Test(arguments: Procedure.type2Faults)
    func `leaves no torn message if a write is disturbed, and reports success only for a complete message`(
        fault: Fault
    ) async throws {
        let old = ClientCards.uri
        let new = try ClientCards.message(ofByteCount: 60)
        let procedure = Procedure(name: "write", engine: { NTAGCard(SampleTags.t0(.ntag213)) }, faults: []) {
            try await $0.writeNDEF(new)
            return true
        }
        let card = try procedure.engine()
        var undisturbed = Procedure.reader(before: card, fault, at: 0..<0)
        _ = try await procedure.run(&undisturbed)
        for call in 0..<undisturbed.link.callCount {
            var reader = Procedure.reader(before: card, fault, at: call..<call + 1)
            let succeeded = (try? await procedure.run(&reader)) != nil
            var after = CardReader(reader.link.base)
            let message = try await after.readNDEF().message
            #expect(succeeded ? message == new : [old, new, NDEFMessage([])].contains(message), "call \(call)")
        }
    }

    @Test func `never repeats a write to a FeliCa card`() async throws {
        for fault in [Fault.lostCommand, .lostAnswer, .damaged] {
            var world = World(seed: 1, trace: Trace())
            world.add(try CardS.card(), named: "card")
            world.tap("card")
            var reader = CardReader(FaultyLink(VirtualLink(world), fault, at: 1..<2))
            try await reader.activate(system: .transit)
            let write = BlockWrite(BlockAddress(NodeCode(0x1009), 0), .zero)
            do {
                try await reader.writeBlocks([write])
                Issue.record("expected the write to fail")
            } catch {
                #expect(error.description.contains("read it back"))
            }
            #expect(reader.link.callCount == 2)
        }
    }
}
