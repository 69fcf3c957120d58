import TapCards
import Testing

@Suite struct `The catalogue of all families` {
    @Test func `finds every IC by its names, ignoring case`() {
        for ic in ICCatalogue.all {
            for name in [ic.name] + ic.aliases {
                #expect(ICCatalogue.named(name)?.name == ic.name, "\(name)")
                #expect(ICCatalogue.named(name.lowercased())?.name == ic.name, "\(name)")
            }
            #expect(!ic.lines.isEmpty && !ic.generation.isEmpty)
        }
        #expect(ICCatalogue.named("RC-S962")?.family == .felica)
        #expect(ICCatalogue.named("ntag215")?.family == .ntag)
        #expect(ICCatalogue.named("NTAG214") == nil)
    }

    @Test func `lists every switch once, with its values and meaning`() {
        let names = SwitchCatalogue.all.map(\.name)
        #expect(Set(names).count == names.count)
        for entry in SwitchCatalogue.all {
            #expect(SwitchCatalogue.named(entry.name.lowercased()) == entry)
            #expect(!entry.allowedValues.isEmpty && !entry.defaultValue.isEmpty && entry.meaning.hasSuffix("."))
        }
    }
}
