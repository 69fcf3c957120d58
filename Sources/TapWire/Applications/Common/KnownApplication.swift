/// An application whose services are publicly known.
public struct KnownApplication: Hashable, Sendable {
    /// The name of the application.
    public let name: String
    /// Its services in the order of their codes.
    public let services: [ApplicationService]

    /// All of them.
    public static let all = [
        KnownApplication(name: "transit card", services: TransitServices.all),
        KnownApplication(name: "Edy", services: EdyServices.all),
        KnownApplication(name: "nanaco", services: NanacoServices.all),
        KnownApplication(name: "WAON", services: WAONServices.all),
        KnownApplication(
            name: "Type 3 Tag",
            services: [
                ApplicationService("NDEF, written", .ndef, Type3Services.write.rawValue, blockCount: 14),
                ApplicationService("NDEF, read", .ndef, Type3Services.read.rawValue, blockCount: 14),
            ]),
    ]
}

extension ApplicationService {
    /// A service with the application it belongs to.
    public struct Known: Hashable, Sendable {
        /// The name of the application.
        public let application: String
        public let service: ApplicationService
    }

    /// The known service with a code, or nothing; no two known applications share one.
    public static func known(_ code: NodeCode) -> Known? {
        byCode[code]
    }

    private static let byCode: [NodeCode: Known] = {
        let services = KnownApplication.all.flatMap { application in
            application.services.map { ($0.code, Known(application: application.name, service: $0)) }
        }
        return Dictionary(services, uniquingKeysWith: { first, _ in first })
    }()
}
