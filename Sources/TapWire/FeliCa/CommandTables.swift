// The commands that need no key. Names and use after FeliCa Card User's Manual, excerpted edition, "commands"; those of
// phones and options after felica-tool, "supported FeliCa commands".

extension CommandCode {
    /// Commands every manual has.
    static let openCommands: [CodeEntry<CommandCode>] = [
        manual(
            .polling, "Polling", "Finds cards by system code and selects the first system that matches.",
            "Silence: no system has the code, or its system is current and in a session.",
            "FF in a byte of the system code matches any; FFFF finds system 0 alone, so poll for FE00 by its own code.",
            "Request code 01 adds the system code to the answer, 02 the communication performance; old cards ignore it."
        ),
        manual(
            .requestService, "Request Service", "Returns the key version of each node asked for, FFFF if absent.",
            "Silence: no node or more than 32, or a list that breaks off.",
            "FFFF stands for a node that does not exist; node codes travel low byte first."),
        manual(
            .requestResponse, "Request Response", "Shows that the card is there and returns its mode.",
            "FeliCa Lite and Lite-S do not answer it."),
        manual(
            .readWithoutEncryption, "Read Without Encryption",
            "Reads blocks of services that need no authentication, all or none.",
            "Silence: another IDm, a mode other than Mode0, or lists that break off.",
            "FF A1: no service or more than 16, on FeliCa Lite other than one.",
            "FF A2: no block or more than the card takes: 12 on DES cards, 15 on AES cards, 4 on FeliCa Lite. "
                + "Read in smaller parts; 20 blocks of history never fit one answer.",
            "A3 to A8 tell what is wrong with the first bad element; status flag 1 is its place in the list.",
            "A6 often means that the service code went out high byte first."),
        manual(
            .writeWithoutEncryption, "Write Without Encryption",
            "Writes blocks of services that need no authentication, all or none.",
            "Silence: as for Read Without Encryption, or fewer than 16 bytes for each block.",
            "FF A2: no block or more than the card takes: 8 or 10 on DES cards, 13 on AES cards, 1 on FeliCa Lite.",
            "A5: the service is read only, or needs authentication, or a cyclic block other than 0 was written.",
            "71 is a warning: the data is stored."),
        manual(
            .searchServiceCode, "Search Service Code",
            "Returns the area or service at an index of the current system, in ascending order of codes.",
            "FF FF: the index is beyond the last node; that ends the enumeration.",
            "An area comes with its last service code, four bytes, a service with two: the length tells them apart."),
        manual(
            .requestSystemCode, "Request System Code", "Lists the system codes of the card from system 0 upward.",
            "Any system's IDm will do. FeliCa Lite does not answer it."),
        CodeEntry(
            .echo, "Echo", "Returns the packet unchanged, to test the way to the card.",
            notes: [
                "It carries no IDm. IC 0B returns at most 238 bytes, FeliCa Lite-S 75; some cards do not answer it."
            ], source: "measured by felica-tool"),
        manual(
            .requestSpecificationVersion, "Request Specification Version",
            "Returns the version of the card specification and of each option it has.",
            "Silence: a card without AES keys, or reserved bytes that are not zero."),
        manual(
            .resetMode, "Reset Mode", "Ends a session and returns the system to Mode0.",
            "Silence: a card without AES keys, or reserved bytes that are not zero."),
    ]

    /// Commands of phones and of options.
    static let optionCommands: [CodeEntry<CommandCode>] = [
        measured(.requestBlockInformation, "Request Block Information", "Returns how many blocks each node has."),
        measured(
            .requestCodeList, "Request Code List", "Lists areas and services below an area, one packet at a time.",
            "Ask for packet 1, 2, … until the continue flag is 00."),
        measured(
            .requestBlockInformationEx, "Request Block Information Ex",
            "Returns how many blocks each node was assigned and how many of them are free."),
        measured(
            .setParameter, "Set Parameter", "Chooses the encryption type and the size of node codes in packets."),
        measured(
            .getContainerIssueInformation, "Get Container Issue Information",
            "Returns format version, carrier and model of the phone around the card."),
        measured(
            .getAreaInformation, "Get Area Information", "Returns two bytes of unpublished meaning about an area.",
            "FF E0 for area 0, FF E2 for a code that is no area, FF E7 where the two upper bits of its first byte are set."
        ),
        measured(
            .getNodeProperty, "Get Node Property",
            "Returns the purse limits or the MAC communication setting of each node.",
            "C3: the node has no such property."),
        measured(
            .getContainerProperty, "Get Container Property", "Returns a property of the phone's container by index.",
            "It carries no IDm."),
        aes(
            .requestServiceV2, "Request Service v2",
            "Returns the kind of keys and the AES and DES key version of each node."),
        aes(
            .getSystemStatus, "Get System Status", "Returns a flag and data about the system, meaning unpublished."),
        aes(
            .requestProductInformation, "Request Product Information",
            "Returns product data of the chip; older name: Get Platform Information."),
        measured(
            .getContainerID, "Get Container ID", "Returns the IDm of the container that holds a phone's cards.",
            "It carries no IDm."),
    ]

    private static func manual(
        _ code: CommandCode, _ name: String, _ sentence: String, _ notes: String...
    ) -> CodeEntry<CommandCode> {
        CodeEntry(
            code, name, sentence, notes: notes, source: "FeliCa Card User's Manual, excerpted edition, \"\(name)\"")
    }

    private static func aes(_ code: CommandCode, _ name: String, _ sentence: String) -> CodeEntry<CommandCode> {
        CodeEntry(
            code, name, sentence, notes: ["Silence: a card without AES keys."],
            source: "FeliCa Card User's Manual (Unofficial Edition), \"\(name)\"; layouts seen by felica-tool")
    }

    private static func measured(
        _ code: CommandCode, _ name: String, _ sentence: String, _ notes: String...
    ) -> CodeEntry<CommandCode> {
        CodeEntry(
            code, name, sentence, notes: notes + ["Few chips know it; all others are silent."],
            source: "measured by felica-tool, \"supported FeliCa commands\"")
    }
}

// The commands that need keys. Names and use after FeliCa Card User's Manual (Unofficial Edition).

extension CommandCode {
    /// Commands of a session, and those that start one.
    static let sessionCommands: [CodeEntry<CommandCode>] = [
        keyed(.authentication1, "Authentication1", "Starts mutual authentication with DES keys; leads to Mode1."),
        keyed(.authentication2, "Authentication2", "Completes mutual authentication with DES keys; leads to Mode2."),
        keyed(CommandCode(0x14), "Read", "Reads blocks inside a DES session."),
        keyed(CommandCode(0x16), "Write", "Writes blocks inside a DES session, or changes keys."),
        keyed(
            CommandCode(0x34), "Internal Authenticate and Read",
            "Reads blocks with a MAC over a challenge; leads to Mode1 with MAC."),
        keyed(
            CommandCode(0x36), "External Authenticate and Write",
            "Writes blocks with a MAC and leads back to Mode0; its layout is unpublished."),
        keyed(.authentication1V2, "Authentication1 v2", "Starts mutual authentication with AES keys; leads to Mode1."),
        keyed(
            .authentication2V2, "Authentication2 v2", "Completes mutual authentication with AES keys; leads to Mode2."),
        keyed(CommandCode(0x44), "Read v2", "Reads blocks inside an AES session."),
        keyed(CommandCode(0x46), "Write v2", "Writes blocks inside an AES session."),
        keyed(CommandCode(0x48), "Delete Key", "Removes the DES keys of a card that has AES keys, inside a session."),
        keyed(CommandCode(0x4C), "Update Random ID", "Changes the random ID; its layout is unpublished."),
        keyed(CommandCode(0x78), "Set Node Property", "Changes options of a node inside an AES session."),
    ]

    /// Commands of issuance and of the factory.
    static let issuanceCommands: [CodeEntry<CommandCode>] = [
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

    private static func keyed(_ code: CommandCode, _ name: String, _ sentence: String) -> CodeEntry<CommandCode> {
        CodeEntry(
            code, name, sentence,
            notes: ["Silence: the keys, the session or the mode are not right; a card never says which."],
            source: "FeliCa Card User's Manual (Unofficial Edition)")
    }
}
