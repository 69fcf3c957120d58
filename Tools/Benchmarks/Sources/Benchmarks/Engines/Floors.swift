import Floor
import TapCards
import TapWire

/// What a card in C answers; no bits for silence.
typealias FloorAnswer = (bits: Int, bytes: [UInt8])

/// The FeliCa card in C, with the systems and blocks of a definition.
@safe
final class FeliCaFloor {
    fileprivate let card: OpaquePointer

    init(_ definition: FeliCaCardDefinition) {
        unsafe card = felica_floor_create(definition.pmm.rawValue)
        var firstBlock = 0
        for (number, system) in definition.systems.enumerated() {
            unsafe felica_floor_add_system(card, system.code.rawValue, definition.idm.ofSystem(number).rawValue)
            var first: [UInt16: Int] = [:]
            for service in system.services where first[service.code.number] == nil {
                first[service.code.number] = firstBlock
                for block in service.blocks {
                    unsafe felica_floor_set_block(card, UInt32(firstBlock), block.bytes)
                    firstBlock += 1
                }
            }
            let areas = system.areas.map { ($0.code, $0.keys, 0, 0) }
            let services = system.services.map { ($0.code, $0.keys, first[$0.code.number] ?? 0, $0.blocks.count) }
            for (code, keys, first, count) in (areas + services).sorted(by: { $0.0.rawValue < $1.0.rawValue }) {
                unsafe felica_floor_add_node(
                    card, code.rawValue, keys.desVersion ?? RequestService.absent, UInt32(first), UInt32(count))
            }
        }
    }

    deinit {
        unsafe felica_floor_destroy(card)
    }

    func runner(_ frames: Frames) -> Runner {
        { rounds in unsafe felica_floor_run(self.card, frames.bytes, frames.ends, frames.count, rounds) }
    }

    func answer(_ frame: [UInt8]) -> FloorAnswer {
        unsafe floorAnswer { unsafe felica_floor_answer(card, frame, frame.count, $0) }
    }
}

/// Many FeliCa cards in C, each with memory of its own.
@safe
final class FeliCaFloors {
    private let floors: [FeliCaFloor]
    private let cards: [OpaquePointer?]

    init(_ definition: FeliCaCardDefinition, count: Int) {
        floors = (0..<count).map { _ in FeliCaFloor(definition) }
        unsafe cards = floors.map { unsafe $0.card }
    }

    /// Sends frames in turn, each to the card that is next in an order; returns how many bits were answered.
    func run(_ frames: Frames, _ order: [UInt32]) -> Int {
        unsafe felica_floor_run_many(cards, order, order.count, frames.bytes, frames.ends, frames.count)
    }
}

/// The NTAG21x in C, with the memory of a definition.
@safe
final class NTAGFloor {
    private let card: OpaquePointer

    init(_ definition: NTAGDefinition) {
        let pages = definition.product.layout.pageCount
        var open = definition
        open.password = .zero
        open[page: definition.product.layout.packPage] = .zero
        let pack = definition[page: definition.product.layout.packPage]
        unsafe card = ntag_floor_create(open.memory, UInt32(pages), definition.password.bytes, pack.bytes)
    }

    deinit {
        unsafe ntag_floor_destroy(card)
    }

    func runner(_ frames: Frames) -> Runner {
        { rounds in unsafe ntag_floor_run(self.card, frames.bytes, frames.ends, frames.count, rounds) }
    }

    func answer(_ frame: [UInt8]) -> FloorAnswer {
        unsafe floorAnswer { unsafe ntag_floor_answer(card, frame, frame.count, $0) }
    }
}

private func floorAnswer(_ answer: (UnsafeMutablePointer<UInt8>?) -> Int) -> FloorAnswer {
    var bytes: [UInt8] = Array(repeating: 0, count: Int(FLOOR_ANSWER_BYTES))
    let bits = unsafe bytes.withUnsafeMutableBufferPointer { unsafe answer($0.baseAddress) }
    return (bits, Array(bytes.prefix((bits + 7) / 8)))
}
