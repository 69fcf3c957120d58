// The commands that need keys, which no card here answers. Names and use after FeliCa Card User's Manual (Unofficial
// Edition).

extension CommandCode {
    package static let authentication1 = CommandCode(0x10)
    package static let authentication2 = CommandCode(0x12)
}

extension CommandDescription {
    static let keyed = session + issuance

    /// Commands of a session, and those that start one.
    private static let session: [CommandDescription] = [
        keyed(
            .authentication1, "Authentication1", word: "authentication1",
            "Starts mutual authentication with DES keys; leads to Mode1.",
            Layout(
                command: [
                    .field(.idm), .count(of: "areas", "a"), .list([[.area]]), .count(of: "services", "s"),
                    .list([[.listedService]]), .field(.encrypted("challenge 1A", 8)),
                ],
                response: [
                    .field(.idm), .field(.encrypted("challenge 1B", 8)), .field(.encrypted("challenge 2A", 8)),
                ])),
        keyed(
            .authentication2, "Authentication2", word: "authentication2",
            "Completes mutual authentication with DES keys; leads to Mode2.",
            Layout(
                command: [.field(.idm), .field(.encrypted("challenge 2B", 8))],
                response: [.field(.encrypted("transaction number and ID, IDi, PMi, MAC", 32))])),
        keyed(CommandCode(0x14), "Read", word: "secure_read", "Reads blocks inside a DES session."),
        keyed(CommandCode(0x16), "Write", word: "secure_write", "Writes blocks inside a DES session, or changes keys."),
        keyed(
            CommandCode(0x34), "Internal Authenticate and Read", word: "internal_authenticate_and_read",
            "Reads blocks with a MAC over a challenge; leads to Mode1 with MAC.",
            Layout(
                command: [
                    .field(.idm), .field(.reserved(1)), .count(of: "services", "m"), .list([[.service]]),
                    .count(of: "blocks", "n"), .blockList, .field(FrameField("challenge", 16)),
                ],
                response: [
                    .field(.idm), .status(done: ""), .count("block", "blocks", "n"), .blockData,
                    .field(FrameField("challenge", 16)), .field(FrameField("MAC", 16)),
                ])),
        keyed(
            CommandCode(0x36), "External Authenticate and Write", word: "external_authenticate_and_write",
            "Writes blocks with a MAC and leads back to Mode0; its layout is unpublished."),
        keyed(
            CommandCode(0x40), "Authentication1 v2", word: "authentication1_v2",
            "Starts mutual authentication with AES keys; leads to Mode1."),
        keyed(
            CommandCode(0x42), "Authentication2 v2", word: "authentication2_v2",
            "Completes mutual authentication with AES keys; leads to Mode2."),
        keyed(CommandCode(0x44), "Read v2", word: "secure_read_v2", "Reads blocks inside an AES session."),
        keyed(CommandCode(0x46), "Write v2", word: "secure_write_v2", "Writes blocks inside an AES session."),
        keyed(CommandCode(0x48), "Delete Key", "Removes the DES keys of a card that has AES keys, inside a session."),
        keyed(CommandCode(0x4C), "Update Random ID", "Changes the random ID; its layout is unpublished."),
        keyed(CommandCode(0x78), "Set Node Property", "Changes options of a node inside an AES session."),
    ]

    /// Commands of issuance and of the factory.
    private static let issuance: [CommandDescription] = [
        keyed(CommandCode(0x52), "Register Area v2", "Creates an area with AES keys during issuance."),
        keyed(CommandCode(0x54), "Register Service v2", "Creates a service with AES keys during issuance."),
        keyed(CommandCode(0x56), "Register Issue ID Ex v2", "Sets the issue ID with AES keys during issuance."),
        keyed(CommandCode(0x58), "Separate System v2", "Divides the card into systems with AES keys."),
        keyed(CommandCode(0x5C), "Delete Node", "Removes an area or a service of a card with AES keys."),
        keyed(CommandCode(0x5E), "Change System Block v2", "Makes issuance with AES keys effective."),
        keyed(CommandCode(0x80), "Register Issue ID", "Sets issue ID, issue parameter and root key of a system."),
        keyed(CommandCode(0x82), "Register Area", "Creates an area during issuance."),
        keyed(CommandCode(0x84), "Register Service", "Creates a service during issuance."),
        keyed(CommandCode(0x86), "Register Issue ID Ex", "Sets the issue ID in its extended form."),
        keyed(CommandCode(0x88), "Separate System", "Divides the card into systems."),
        keyed(CommandCode(0x8E), "Change System Block", "Makes issuance effective."),
        keyed(CommandCode(0x90), "Register Manufacture ID", "Sets the IDm in the factory."),
        keyed(CommandCode(0x92), "Self Diagnosis", "Tests the chip in the factory."),
    ]
}
