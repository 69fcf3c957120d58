// Commands that need keys and have no file of their own. Names and use follow FeliCa Card User's Manual (Unofficial Edition);
// the explanations state what is unpublished.

extension CommandCode {
    public static let internalAuthenticateAndRead = CommandCode(0x34)
    public static let externalAuthenticateAndWrite = CommandCode(0x36)
    public static let deleteKey = CommandCode(0x48)
    public static let updateRandomID = CommandCode(0x4C)
    public static let setNodeProperty = CommandCode(0x78)
}

extension CommandDescription {
    static let keyed: [CommandDescription] =
        [
            Authentication1.description, Authentication2.description, Authentication1V2.description,
            Authentication2V2.description,
        ] + secure + options + issuance

    /// Commands of optional functions: MAC, random ID, purse limits.
    private static let options: [CommandDescription] = [
        keyed(
            .internalAuthenticateAndRead, "Internal Authenticate and Read", word: "internal_authenticate_and_read",
            "Reads blocks with a MAC over a challenge; leads to Mode1 with MAC.",
            notes: ["The MAC computation is not published, so TapSim's cards do not answer it."],
            time: .read,
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
            .externalAuthenticateAndWrite, "External Authenticate and Write", word: "external_authenticate_and_write",
            "Writes blocks with a MAC and leads back to Mode0; its layout is unpublished."),
        secureFrame(
            .deleteKey, "Delete Key", "Removes the DES keys of a card that has AES keys, inside a session."),
        keyed(.updateRandomID, "Update Random ID", "Changes the random ID; its layout is unpublished."),
        secureFrame(
            .setNodeProperty, "Set Node Property", "Changes options of a node inside an AES session."),
    ]

    private static let issuance: [CommandDescription] = [
        secureFrame(
            CommandCode(0x52), "Register Area v2", "Creates an area with AES keys during issuance."),
        secureFrame(
            CommandCode(0x54), "Register Service v2", "Creates a service with AES keys during issuance."),
        secureFrame(
            CommandCode(0x56), "Register Issue ID Ex v2", "Sets the issue ID with AES keys during issuance."),
        secureFrame(
            CommandCode(0x58), "Separate System v2", "Divides the card into systems with AES keys."),
        secureFrame(
            CommandCode(0x5C), "Delete Node", "Removes an area or a service of a card with AES keys."),
        secureFrame(
            CommandCode(0x5E), "Change System Block v2", "Makes issuance with AES keys effective."),
        secureFrame(
            CommandCode(0x80), "Register Issue ID", "Sets issue ID, issue parameter and root key of a system."),
        secureFrame(CommandCode(0x82), "Register Area", "Creates an area during issuance."),
        secureFrame(CommandCode(0x84), "Register Service", "Creates a service during issuance."),
        secureFrame(CommandCode(0x86), "Register Issue ID Ex", "Sets the issue ID in its extended form."),
        secureFrame(CommandCode(0x88), "Separate System", "Divides the card into systems."),
        secureFrame(CommandCode(0x8E), "Change System Block", "Makes issuance effective."),
        keyed(CommandCode(0x90), "Register Manufacture ID", "Sets the IDm in the factory."),
        keyed(CommandCode(0x92), "Self Diagnosis", "Tests the chip in the factory."),
    ]
}
