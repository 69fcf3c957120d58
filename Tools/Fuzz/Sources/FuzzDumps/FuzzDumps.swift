import FuzzSupport
import TapCards
import TapDocument
import TapWire

@testable import TapImages

/// Reads card dumps from any bytes, creates the cards, and checks that output can be read back.
@c(FuzzDumps_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    unsafe Fuzzer.run(count, arguments) { choices in
        Dumps.read(SourceFile(name: "dump", bytes: choices.rest()))
    }
}

enum Dumps {
    /// Checks that a dump's card is within the limits, and that the dump is unchanged after it was written and read again.
    static func read(_ file: SourceFile) {
        _ = CardImage.isDump(file)
        guard let image = try? CardImage(reading: file) else { return }
        for note in image.notes() { expect(!note.message.isEmpty && !note.hint.isEmpty, "a note says what is missing") }
        makeCard(of: image)
        for format in image.formats {
            guard let written = try? image.bytes(format) else { continue }
            let again = try? CardImage(reading: SourceFile(name: "again", bytes: written))
            expect((try? again?.bytes(format)) == written, "a dump is written as it was read, \(format)")
        }
    }

    private static func makeCard(of image: CardImage) {
        switch image.content {
        case .tag(let tag): if let product = tag.product { _ = try? tag.tag(product) }
        case .lite(let card): if let ic = card.ic { _ = FeliCaLiteTemplate(card.card(ic)) }
        case .felica(let card):
            guard let ic = card.ic, let definition = try? card.card(ic) else { return }
            let count = definition.systems.reduce(0) { $0 + $1.services.reduce(0) { $0 + $1.blocks.count } }
            expect(count <= FeliCaImage.maximumBlocks, "a dump has \(count) blocks")
            _ = try? FeliCaTemplate(definition)
        }
    }
}
