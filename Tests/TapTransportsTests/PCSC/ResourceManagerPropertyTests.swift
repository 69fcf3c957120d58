import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

@Suite struct `The resource manager under random requests` {
    /// A change of cards or readers.
    private static func happen(_ run: inout ManagerRun, _ random: inout TestRandom) {
        let id = random.number(below: 3)
        switch random.number(below: 7) {
        case 0, 1: if !run.state(id).flags.contains(.present) { run.insert(into: id) }
        case 2: if run.state(id).flags.contains(.present) { run.remove(from: id) }
        case 3: if run.state(id).flags.contains(.present) { run.swap(id) }
        case 4: run.players[id]?.isMute.toggle()
        case 5:
            run.manager.unplug(id)
            run.players[id]?.slot = ReaderSlot.State()
        default:
            guard run.manager.readers[id] == nil else { return }
            _ = run.plug(id, "Reader")
            run.manager.follow(id, ReaderSlot.State())
        }
    }

    /// A client's request, valid or not.
    private static func ask(_ run: inout ManagerRun, _ random: inout TestRandom) -> (ServiceRequest, ClientID) {
        let client = random.number(below: 4)
        let own = run.manager.clients[client]?.cards ?? []
        let card = own.isEmpty ? random.any(Int32.self) : random.pick(own)
        let mode = PCSCShareMode(UInt32(random.number(0...4)))
        let protocols = PCSCProtocols(rawValue: UInt32(random.number(0...7)))
        let disposition = PCSCDisposition(UInt32(random.number(0...4)))
        let context = random.oneIn(10) ? random.any(UInt32.self) : run.manager.clients[client]?.context ?? 0
        let connect = ConnectMessage(
            context: context, reader: run.name(random.number(below: 3)), shareMode: mode, protocols: protocols)
        let reconnect = ReconnectMessage(
            card: card, shareMode: mode, protocols: protocols, initialization: disposition)
        let requests: [ServiceRequest] = [
            .establish(EstablishMessage(scope: 2)), .connect(connect), .connect(connect), .connect(connect),
            .reconnect(reconnect), .disconnect(DispositionMessage(card: card, disposition: disposition)),
            .beginTransaction(CardMessage(card: card)),
            .endTransaction(DispositionMessage(card: card, disposition: disposition)),
            .transmit(TransmitMessage(card: card, sendLength: 0, receiveLength: UInt32(random.number(0...4))), []),
            .status(CardMessage(card: card)), .cancel(ContextMessage(context: context)), .readerStates,
            .version(ProtocolVersion(minor: Int32(random.number(3...7)))), .waitForChange, .stopWaiting, .readerArray,
            random.oneIn(5) ? .release(ContextMessage(context: context)) : .readerEvents,
        ]
        return (random.pick(requests), client)
    }

    /// The rules that must hold between requests.
    private static func check(_ manager: ResourceManager) -> String? {
        for (id, reader) in manager.readers {
            let cards = manager.cards.filter { $0.value.reader == id }
            let count = reader.sharing == .exclusive ? 1 : Int(reader.sharing.number)
            if cards.count != count { return "\(cards.count) connections share as \(reader.sharing)" }
            if reader.lockHolder != 0, cards[reader.lockHolder] == nil { return "a lock without a holder" }
            let flags: [ReaderState.Flags] = [.absent, .ready, .present, [.present, .swallowed]]
            if !flags.contains(reader.state.flags) { return "flags \(reader.state.flags)" }
            let hasATR = !reader.state.atr.isEmpty
            if reader.state.flags != .present, hasATR != (reader.state.flags == .ready) {
                return "flags \(reader.state.flags), ATR \(reader.state.atr)"
            }
            let isMute = reader.state.flags.contains(.swallowed)
            if reader.power.isUnpowered != (reader.state.flags == .present), !isMute {
                return "\(reader.power.isUnpowered ? "no power" : "power") with flags \(reader.state.flags)"
            }
        }
        let owned = manager.clients.values.flatMap(\.cards)
        if owned.count != Set(owned).count { return "a connection with two owners" }
        if !manager.cards.keys.allSatisfy(owned.contains) { return "a connection without an owner" }
        if !manager.waiting.allSatisfy({ manager.clients[$0] != nil }) { return "a client waits that is gone" }
        return nil
    }

    @Test func `stays consistent`() {
        var random = TestRandom()
        for _ in 0..<TestScale.count(30) {
            var run = ManagerRun(readers: 3)
            var log: [(ClientID, ServiceRequest)] = []
            for _ in 0..<200 {
                if random.oneIn(4) { Self.happen(&run, &random) }
                if random.oneIn(40) {
                    let client = random.number(below: 4)
                    run.leave(client)
                    run.manager.admit(client)
                }
                if random.oneIn(10) {
                    let id = random.number(below: 3)
                    run.players[id]?.meanwhile = { $0.remove(from: id) }
                }
                let (request, client) = Self.ask(&run, &random)
                let outcome = run.ask(request, from: client)
                log.append((client, request))
                _ = run.takeNotices()
                if let problem = Self.check(run.manager) {
                    Issue.record("\(problem) after \(log.suffix(8)), \(outcome), seed \(TestSeed.value)")
                    return
                }
            }
            for client in 0..<4 { run.leave(client) }
            #expect(run.manager.cards.isEmpty && run.manager.clients.isEmpty && run.manager.waiting.isEmpty)
            for reader in run.manager.readers.values {
                #expect(reader.sharing == .free && reader.lockHolder == 0, "seed \(TestSeed.value)")
            }
        }
    }
}
