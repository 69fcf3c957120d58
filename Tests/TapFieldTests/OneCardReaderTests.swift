import TapCards
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A reader that selects one card` {
    private func world(_ uids: [[UInt8]]) throws -> World {
        var world = World(seed: 1, trace: Trace())
        for (index, bytes) in uids.enumerated() {
            let uid = try #require(UID(bytes))
            world.add(NTAGCard(try NTAGDefinition(.ntag215, uid: uid)), named: "tag\(index)")
            world.tap("tag\(index)")
        }
        return world
    }

    @Test func `selects an NTAG215 level by level`() async throws {
        var link = VirtualLink(try world([[0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80]]))
        let tag = try await link.activate(.typeA(), timeout: .milliseconds(5))
        #expect(
            tag
                == .typeA(
                    TypeATag(
                        atqa: ATQA(0x0044), sak: .complete,
                        uid: try #require(UID([0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80])))))
        #expect(link.world.card(named: "tag0")?.engine.stateName == "ACTIVE")
    }

    @Test func `selects a tag again, which ends its previous selection`() async throws {
        var link = VirtualLink(try world([[0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80]]))
        for _ in 0..<3 {
            #expect(try await link.activate(.typeA(), timeout: .milliseconds(5)) != nil)
        }
    }

    @Test func `selects the first of several tags bit by bit, wherever their UIDs differ`() async throws {
        var random = TestRandom()
        for _ in 0..<200 {
            let count = 2 + random.number(below: 4)
            let uids = (0..<count).map { _ in [0x04] + (0..<6).map { _ in UInt8(random.number(below: 4)) } }
            guard Set(uids).count == count else { continue }
            var link = VirtualLink(try world(uids))
            guard case .typeA(let tag) = try await link.activate(.typeA(), timeout: .milliseconds(5)) else {
                Issue.record("no tag among \(uids); seed \(TestSeed.value)")
                return
            }
            #expect(tag.uid.bytes == uids[0], "seed \(TestSeed.value)")
            #expect(link.world.cards.filter { $0.engine.stateName == "ACTIVE" }.map(\.name) == ["tag0"])
        }
    }

    @Test func `finds nothing in an empty field`() async throws {
        var link = VirtualLink(try world([]))
        #expect(try await link.activate(.typeA(), timeout: .milliseconds(5)) == nil)
    }

    @Test func `gets an error if the link cannot carry an answer`() async throws {
        let limits = LinkLimits(maximumAnswerLength: 8)
        var link = VirtualLink(try world([[0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80]]), limits: limits)
        _ = try await link.activate(.typeA(), timeout: .milliseconds(5))
        do {
            _ = try await link.transceive(RFFrame(.typeA106, [0x30, 0]), timeout: .milliseconds(5))
            Issue.record("received an answer of 16 bytes")
        } catch {
            #expect(error.code == .tooLong)
        }
    }

    @Test func `gets an error if the run exceeds its limit of exchanges`() async throws {
        var link = VirtualLink(try world([]), exchangeLimit: 2)
        _ = try await link.activate(.typeA(), timeout: .zero)
        do {
            _ = try await link.activate(.typeA(), timeout: .zero)
            Issue.record("a third exchange took place")
        } catch {
            #expect(error.code == .limitReached)
        }
    }
}
