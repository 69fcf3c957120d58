/// An application whose services are publicly known.
package struct KnownApplication: Hashable, Sendable {
    package let name: String
    /// Its services in the order of their codes.
    package let services: [ApplicationService]

    /// All of them.
    package static let all = [
        KnownApplication(name: "transit card", services: TransitServices.all),
        KnownApplication(name: "Edy", services: EdyServices.all),
        KnownApplication(name: "nanaco", services: NanacoServices.all),
        KnownApplication(name: "WAON", services: WAONServices.all),
        KnownApplication(
            name: "Type 3 Tag",
            services: [
                ApplicationService("NDEF, written", Type3Services.write.rawValue, in: .ndef, blockCount: 14),
                ApplicationService("NDEF, read", Type3Services.read.rawValue, in: .ndef, blockCount: 14),
            ]),
    ]
}

extension ApplicationService {
    /// A service with the application it belongs to.
    package struct Known: Hashable, Sendable {
        package let application: String
        package let service: ApplicationService
    }

    /// The known service with a code, or `nil`; no two known applications share one.
    package static func known(_ code: NodeCode) -> Known? {
        byCode[code]
    }

    private static let byCode: [NodeCode: Known] = {
        let services = KnownApplication.all.flatMap { application in
            application.services.map { ($0.code, Known(application: application.name, service: $0)) }
        }
        return Dictionary(services, uniquingKeysWith: { first, _ in first })
    }()
}

/// A service of a known application: where it is and how much it holds.
///
/// What a reader may do with it is in the attribute of its code; services whose codes have one number share blocks.
package struct ApplicationService: Hashable, Sendable {
    /// What the service holds, in English words.
    package let title: String
    package let system: SystemCode
    package let code: NodeCode
    /// Number of blocks on the cards observed.
    package let blockCount: Int

    package init(_ title: String, _ code: UInt16, in system: SystemCode = .commonArea, blockCount: Int) {
        self.title = title
        self.system = system
        self.code = NodeCode(code)
        self.blockCount = blockCount
    }
}

/// A byte that stands for something: known values have names, any other is kept.
public protocol NamedCode: OpenCode, CustomStringConvertible where Bits == UInt8 {
    /// The known values; where two have one name, the typical one comes first.
    static var names: [CodeName] { get }
}

/// The name of a code in two languages.
public struct CodeName: Hashable, Sendable {
    public let code: UInt8
    /// English words.
    public let english: String
    /// Japanese words, as operators and decoders use them.
    public let japanese: String

    package init(_ code: UInt8, _ english: String, _ japanese: String) {
        self.code = code
        self.english = english
        self.japanese = japanese
    }

    /// The English words as files write them: `Shinkansen exit` is `shinkansen-exit`.
    package var identifier: String {
        String(english.lowercased().map { $0 == " " ? "-" : $0 })
    }
}

extension NamedCode {
    /// The names, or `nil` for a code that is not known.
    public var name: CodeName? {
        Self.names.first { $0.code == rawValue }
    }

    /// The code with an ``CodeName/identifier``, or `nil` if none has it.
    package init?(identifier: String) {
        guard let name = Self.names.first(where: { $0.identifier == identifier }) else { return nil }
        self.init(name.code)
    }

    public var description: String {
        name?.english ?? "code \(Hex.digits(rawValue, width: 2))"
    }
}
