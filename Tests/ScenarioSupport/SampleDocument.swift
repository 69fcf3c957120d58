import TapDocument
import TapYAML

/// A document of the sample language that is read, filled in and checked like a scenario.
package struct SampleDocument {
    package private(set) var diagnostics = Diagnostics()
    package private(set) var node: Node?
    package private(set) var map: MapReader?

    package init(_ name: String, _ bytes: [UInt8], language: KeyTable = SampleLanguage.file) {
        node = DocumentReaders.reader(for: name).read(SourceFile(name: name, bytes: bytes), into: &diagnostics)
        guard let read = node else { return }
        var parameters = Parameters()
        if case .map(let map)? = read["params"] { parameters.define(map) }
        let filled = parameters.fill(read, into: &diagnostics)
        node = filled
        map = language.read(filled, into: &diagnostics)
    }

    package init(_ name: String, _ text: String, language: KeyTable = SampleLanguage.file) {
        self.init(name, Array(text.utf8), language: language)
    }
}
