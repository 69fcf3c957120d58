/// An application whose services are publicly known.
package struct KnownApplication: Sendable {
    package let name: String
    /// The services, in the order of their codes.
    package let services: [ApplicationService]

    package static let all = [
        KnownApplication(name: "transit card", services: TransitServices.all),
        KnownApplication(name: "OKICA", services: OkicaServices.all),
        KnownApplication(name: "SAPICA", services: SapicaServices.all),
        KnownApplication(name: "Ryuto", services: RyutoServices.all),
        KnownApplication(name: "Octopus", services: OctopusServices.all),
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
    package struct Known: Sendable {
        package let application: String
        package let service: ApplicationService
    }

    /// The known service with a code; no two known applications share a code.
    package static func known(_ code: NodeCode) -> Known? {
        byCode[code]
    }

    /// The known service with a code in a system of a card; in other systems the code can mean something else.
    package static func known(_ code: NodeCode, in system: SystemCode) -> Known? {
        known(code).flatMap { $0.service.isKnown(in: system) ? $0 : nil }
    }

    /// The known service that shares its blocks with another service; if there are several, the service with free access.
    package static func known(sharing code: NodeCode, in system: SystemCode) -> Known? {
        var found: Known?
        for application in KnownApplication.all {
            for service in application.services where service.code.store == code.store && service.isKnown(in: system) {
                found = Known(application: application.name, service: service)
            }
        }
        return found
    }

    /// Returns whether a card has the service in a system: the service's own system, or one with the same services.
    private func isKnown(in system: SystemCode) -> Bool {
        self.system == system || self.system == Self.application(of: system)
    }

    /// The system under which the services of a card's system are listed.
    private static func application(of system: SystemCode) -> SystemCode {
        if system == .lite { return .ndef }
        return TransitServices.systems.contains(system) ? .transit : system
    }

    private static let byCode: [NodeCode: Known] = {
        let services = KnownApplication.all.flatMap { application in
            application.services.map { ($0.code, Known(application: application.name, service: $0)) }
        }
        return Dictionary(services, uniquingKeysWith: { first, _ in first })
    }()
}

/// A service of a known application: its code and size.
///
/// The attribute in its code defines what a reader may do with it; services whose codes have the same number share blocks.
package struct ApplicationService: Sendable {
    /// The title in English.
    package let title: String
    package let system: SystemCode
    package let code: NodeCode
    /// The number of blocks on observed cards.
    package let blockCount: Int
    /// The records in its blocks; `nil` if unknown.
    package let record: RecordLayout?

    package init(
        _ title: String, _ code: UInt16, in system: SystemCode = .commonArea, blockCount: Int,
        record: RecordLayout? = nil
    ) {
        self.title = title
        self.system = system
        self.code = NodeCode(code)
        self.blockCount = blockCount
        self.record = record
    }
}

/// A byte with a meaning: known values have names, unknown values are kept.
public protocol NamedCode: OpenCode, CustomStringConvertible where Bits == UInt8 {
    /// The known values; if two have the same name, the typical value comes first.
    static var names: [CodeName] { get }
}

public struct CodeName: Hashable, Sendable {
    public let code: UInt8
    public let english: String
    /// The Japanese name used by operators and decoders.
    public let japanese: String

    package init(_ code: UInt8, _ english: String, _ japanese: String) {
        self.code = code
        self.english = english
        self.japanese = japanese
    }

    /// The English name as written in files: `Shinkansen exit` becomes `shinkansen-exit`.
    package var identifier: String {
        String(english.lowercased().map { $0 == " " ? "-" : $0 })
    }
}

extension NamedCode {
    public var name: CodeName? {
        Self.names.first { $0.code == rawValue }
    }

    package init?(identifier: String) {
        guard let name = Self.names.first(where: { $0.identifier == identifier }) else { return nil }
        self.init(name.code)
    }

    public var description: String {
        name?.english ?? "code \(Hex.digits(rawValue, width: 2))"
    }
}
