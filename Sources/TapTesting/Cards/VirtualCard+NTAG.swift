import TapScenario

/// NTAG tags.
///
/// `uid`, `password` and `pack` are seven, four and two bytes in hexadecimal; what is left out is as at delivery, and
/// the UID is drawn from the seed of the test.
extension VirtualCard {
    /// What a password of a tag protects.
    public enum Protection: String, Hashable, Sendable {
        /// Writing, while everybody reads.
        case write
        /// Reading and writing.
        case readWrite = "read_write"
    }

    /// An NTAG213.
    public static func ntag213(
        uid: String? = nil, ndef: [NDEFContent]? = nil, password: String? = nil, pack: String? = nil,
        auth0: Int? = nil, protection: Protection? = nil, authenticationLimit: Int? = nil
    ) -> VirtualCard {
        tag("NTAG213", uid, ndef, Password(password, pack, auth0, protection, authenticationLimit))
    }

    /// An NTAG215.
    ///
    /// - Parameters:
    ///   - uid: The UID.
    ///   - ndef: The records of its message; without it the tag holds no message.
    ///   - password: The password, PWD.
    ///   - pack: What the tag answers to the right password, PACK.
    ///   - auth0: The first page that needs the password; without it none does.
    ///   - protection: What the password protects; writing without it.
    ///   - authenticationLimit: How many wrong passwords lock the tag for ever, AUTHLIM; 0 for no limit.
    public static func ntag215(
        uid: String? = nil, ndef: [NDEFContent]? = nil, password: String? = nil, pack: String? = nil,
        auth0: Int? = nil, protection: Protection? = nil, authenticationLimit: Int? = nil
    ) -> VirtualCard {
        tag("NTAG215", uid, ndef, Password(password, pack, auth0, protection, authenticationLimit))
    }

    /// An NTAG216.
    public static func ntag216(
        uid: String? = nil, ndef: [NDEFContent]? = nil, password: String? = nil, pack: String? = nil,
        auth0: Int? = nil, protection: Protection? = nil, authenticationLimit: Int? = nil
    ) -> VirtualCard {
        tag("NTAG216", uid, ndef, Password(password, pack, auth0, protection, authenticationLimit))
    }

    /// An NTAG215 that holds some records.
    public static func ndef(_ records: NDEFContent..., uid: String? = nil) -> VirtualCard {
        VirtualCard(
            "ndef", .map(["ndef": records.isEmpty ? nil : .list(records.map(\.node)), "uid": uid.map(Node.text)]))
    }

    /// An NTAG215 that holds a URI.
    public static func ndef(uri: String, uid: String? = nil) -> VirtualCard { ndef(.uri(uri), uid: uid) }

    /// An NTAG215 that holds a text.
    public static func ndef(text: String, language: String? = nil, uid: String? = nil) -> VirtualCard {
        ndef(.text(text, language: language), uid: uid)
    }

    /// An NTAG215 as it is delivered.
    public static func blank(uid: String? = nil) -> VirtualCard {
        VirtualCard("blank", .map(["uid": uid.map(Node.text)]))
    }

    private static func tag(
        _ ic: String, _ uid: String?, _ ndef: [NDEFContent]?, _ password: Password
    ) -> VirtualCard {
        VirtualCard(
            ic,
            .map([
                "uid": uid.map(Node.text), "ndef": ndef.map { .list($0.map(\.node)) }, "config": password.node,
            ]))
    }

    /// The entries of `config` that are about the password.
    private struct Password {
        let node: Node?

        init(_ password: String?, _ pack: String?, _ auth0: Int?, _ protection: Protection?, _ limit: Int?) {
            let node: Node = .map([
                "pwd": password.map(Node.text), "pack": pack.map(Node.text), "auth0": auth0.map(Node.number),
                "prot": protection.map { .text($0.rawValue) }, "authlim": limit.map(Node.number),
            ])
            self.node = node.entries.isEmpty ? nil : node
        }
    }
}
