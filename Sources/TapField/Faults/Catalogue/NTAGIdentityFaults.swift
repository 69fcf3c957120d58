import TapWire

extension FaultCatalogue {
    /// What a tag tells wrongly about itself.
    static let ntagIdentity: [FaultKind] = [
        FaultKind(
            "ntag.version", "GET_VERSION tells of another product or another size.",
            models: "Clones answer with the version of the product they are sold as, whatever memory they have.",
            [
                FaultParameter(
                    "version", .bytes(8...8), nil, "The answer; without it the size of the next larger NTAG21x.")
            ],
            scope: .commands("ntag.get_version"), times: .always,
            effect: .answer { answer, strike in
                let version = strike.arguments.bytes("version").map { GetVersion.Response(UInt64(octets: $0)) }
                answer.rewrite(GetVersion.Response.self) { $0 = version ?? nextLarger($0) }
            }),
        FaultKind(
            "ntag.signature", "READ_SIG gives a signature that is none of this tag.",
            models: "Clones answer zeros, a repeated UID or the signature of another tag.",
            [
                FaultParameter(
                    "signature", .bytes(32...32), nil,
                    "The signature; without it all bits of the tag's own are flipped.")
            ], scope: .commands("ntag.read_sig"), times: .always,
            effect: .answer { answer, strike in
                let signature = strike.arguments.bytes("signature")
                answer.rewriteData { bytes in bytes = signature ?? bytes.map { ~$0 } }
            }),
        FaultKind(
            "ntag.counter", "READ_CNT gives another number, by itself the last before the counter stops.",
            models: "The counter was torn, or has come to its end and counts no further.",
            [
                FaultParameter(
                    "value", .integer(0...Int(ReadCounter.maximumValue)), .integer(Int(ReadCounter.maximumValue)),
                    "The number.")
            ], scope: .commands("ntag.read_cnt"),
            effect: .answer { answer, strike in
                let value = UInt32(strike.arguments.integer("value") ?? 0)
                answer.rewrite(ReadCounter.Response.self) { $0 = ReadCounter.Response(value: value) }
            }),
        FaultKind(
            "ntag.pack", "PWD_AUTH succeeds with another PACK than the tag should have.",
            models: "A clone takes every password and answers a PACK of its own.",
            [FaultParameter("pack", .bytes(2...2), nil, "The PACK; without it all bits of the right one are flipped.")],
            scope: .commands("ntag.pwd_auth"),
            effect: .answer { answer, strike in
                let pack = strike.arguments.bytes("pack").map { UInt16(truncatingIfNeeded: UInt64(octets: $0)) }
                answer.rewrite(PasswordAuthentication.Response.self) { $0.pack = pack ?? ~$0.pack }
            }),
    ]

    /// A version with the storage size of the next larger NTAG21x, of the smallest where there is none.
    private static func nextLarger(_ version: GetVersion.Response) -> GetVersion.Response {
        let sizes = NTAGProduct.allCases.map(\.version.storageSize)
        let next = sizes.first { $0 > version.storageSize } ?? sizes[0]
        return GetVersion.Response(version.rawValue & ~0xFF00 | UInt64(next) << 8)
    }
}
