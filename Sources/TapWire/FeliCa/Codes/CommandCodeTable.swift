// The table of known commands. Names and use after FeliCa Card User's Manual, excerpted edition, "commands"; mobile and
// option commands after felica-tool, "supported FeliCa commands"; issuance and session commands after FeliCa Card
// User's Manual (Unofficial Edition).

extension CommandCode {
    /// Finds cards by system code.
    public static let polling = CommandCode(0x00)
    /// Asks for key versions of nodes.
    public static let requestService = CommandCode(0x02)
    /// Asks for the mode.
    public static let requestResponse = CommandCode(0x04)
    /// Reads blocks without a session.
    public static let readWithoutEncryption = CommandCode(0x06)
    /// Writes blocks without a session.
    public static let writeWithoutEncryption = CommandCode(0x08)
    /// Enumerates areas and services.
    public static let searchServiceCode = CommandCode(0x0A)
    /// Lists the systems of the card.
    public static let requestSystemCode = CommandCode(0x0C)
    /// Asks for the block counts of nodes.
    public static let requestBlockInformation = CommandCode(0x0E)
    /// Starts a DES session.
    public static let authentication1 = CommandCode(0x10)
    /// Completes a DES session.
    public static let authentication2 = CommandCode(0x12)
    /// Lists the nodes below an area.
    public static let requestCodeList = CommandCode(0x1A)
    /// Asks for assigned and free blocks of nodes.
    public static let requestBlockInformationEx = CommandCode(0x1E)
    /// Chooses encryption and packet type.
    public static let setParameter = CommandCode(0x20)
    /// Asks for format, carrier and phone model.
    public static let getContainerIssueInformation = CommandCode(0x22)
    /// Asks about an area.
    public static let getAreaInformation = CommandCode(0x24)
    /// Asks for the options of nodes.
    public static let getNodeProperty = CommandCode(0x28)
    /// Asks for a property of the container.
    public static let getContainerProperty = CommandCode(0x2E)
    /// Asks for key versions and kinds of keys.
    public static let requestServiceV2 = CommandCode(0x32)
    /// Asks for the status of the system.
    public static let getSystemStatus = CommandCode(0x38)
    /// Asks for product information.
    public static let requestProductInformation = CommandCode(0x3A)
    /// Asks for the versions of specification and options.
    public static let requestSpecificationVersion = CommandCode(0x3C)
    /// Goes back to Mode0.
    public static let resetMode = CommandCode(0x3E)
    /// Starts an AES session.
    public static let authentication1V2 = CommandCode(0x40)
    /// Completes an AES session.
    public static let authentication2V2 = CommandCode(0x42)
    /// Asks for the IDm of the container.
    public static let getContainerID = CommandCode(0x70)
    /// Returns what was sent.
    public static let echo = CommandCode(0xF0, 0x00)

    /// The commands with a published name, in the order of their codes.
    public static let known = (openCommands + sessionCommands + issuanceCommands).sorted { $0.code < $1.code }

    private static let openCommands: [CodeEntry<CommandCode>] = [
        .init(.polling, "Polling", "Finds cards by system code and selects the first system that matches."),
        .init(.requestService, "Request Service", "Returns the key version of each node asked for, FFFF if absent."),
        .init(.requestResponse, "Request Response", "Shows that the card is there and returns its mode."),
        .init(
            .readWithoutEncryption, "Read Without Encryption",
            "Reads blocks of services that need no authentication, all or none."),
        .init(
            .writeWithoutEncryption, "Write Without Encryption",
            "Writes blocks of services that need no authentication, all or none."),
        .init(
            .searchServiceCode, "Search Service Code",
            "Returns the area or service at an index of the current system, in ascending order of codes."),
        .init(.requestSystemCode, "Request System Code", "Lists the system codes of the card from system 0 upward."),
        .init(.requestBlockInformation, "Request Block Information", "Returns how many blocks each node has."),
        .init(
            .requestCodeList, "Request Code List", "Lists areas and services below an area, one packet at a time."),
        .init(
            .requestBlockInformationEx, "Request Block Information Ex",
            "Returns how many blocks each node was assigned and how many of them are free."),
        .init(.setParameter, "Set Parameter", "Chooses the encryption type and the size of node codes in packets."),
        .init(
            .getContainerIssueInformation, "Get Container Issue Information",
            "Returns format version, carrier and model of the phone around the card."),
        .init(.getAreaInformation, "Get Area Information", "Returns two bytes of unpublished meaning about an area."),
        .init(
            .getNodeProperty, "Get Node Property",
            "Returns the purse limits or the MAC communication setting of each node."),
        .init(.getContainerProperty, "Get Container Property", "Returns a property of the phone's container by index."),
        .init(
            .requestServiceV2, "Request Service v2",
            "Returns the kind of keys and the AES and DES key version of each node."),
        .init(.getSystemStatus, "Get System Status", "Returns a flag and data about the system, meaning unpublished."),
        .init(
            .requestProductInformation, "Request Product Information",
            "Returns product data of the chip; older name: Get Platform Information."),
        .init(
            .requestSpecificationVersion, "Request Specification Version",
            "Returns the version of the card specification and of each option it has."),
        .init(.resetMode, "Reset Mode", "Ends a session and returns the system to Mode0."),
        .init(.getContainerID, "Get Container ID", "Returns the IDm of the container that holds a phone's cards."),
        .init(.echo, "Echo", "Returns the packet unchanged, to test the way to the card."),
    ]

    private static let sessionCommands: [CodeEntry<CommandCode>] = [
        .init(.authentication1, "Authentication1", "Starts mutual authentication with DES keys; leads to Mode1."),
        .init(.authentication2, "Authentication2", "Completes mutual authentication with DES keys; leads to Mode2."),
        .init(CommandCode(0x14), "Read", "Reads blocks inside a DES session."),
        .init(CommandCode(0x16), "Write", "Writes blocks inside a DES session, or changes keys."),
        .init(
            CommandCode(0x34), "Internal Authenticate and Read",
            "Reads blocks with a MAC over a challenge; leads to Mode1 with MAC."),
        .init(
            CommandCode(0x36), "External Authenticate and Write",
            "Writes blocks with a MAC and leads back to Mode0; its layout is unpublished."),
        .init(.authentication1V2, "Authentication1 v2", "Starts mutual authentication with AES keys; leads to Mode1."),
        .init(
            .authentication2V2, "Authentication2 v2", "Completes mutual authentication with AES keys; leads to Mode2."),
        .init(CommandCode(0x44), "Read v2", "Reads blocks inside an AES session."),
        .init(CommandCode(0x46), "Write v2", "Writes blocks inside an AES session."),
        .init(CommandCode(0x48), "Delete Key", "Removes the DES keys of a card that has AES keys, inside a session."),
        .init(CommandCode(0x4C), "Update Random ID", "Changes the random ID; its layout is unpublished."),
        .init(CommandCode(0x78), "Set Node Property", "Changes options of a node inside an AES session."),
    ]

    private static let issuanceCommands: [CodeEntry<CommandCode>] = [
        .init(CommandCode(0x52), "Register Area v2", "Creates an area with AES keys during issuance."),
        .init(CommandCode(0x54), "Register Service v2", "Creates a service with AES keys during issuance."),
        .init(CommandCode(0x56), "Register Issue ID Ex v2", "Sets the issue ID with AES keys during issuance."),
        .init(CommandCode(0x58), "Separate System v2", "Divides the card into systems with AES keys."),
        .init(CommandCode(0x5C), "Delete Node", "Removes an area or a service of a card with AES keys."),
        .init(CommandCode(0x5E), "Change System Block v2", "Makes issuance with AES keys effective."),
        .init(CommandCode(0x80), "Register Issue ID", "Sets issue ID, issue parameter and root key of a system."),
        .init(CommandCode(0x82), "Register Area", "Creates an area during issuance."),
        .init(CommandCode(0x84), "Register Service", "Creates a service during issuance."),
        .init(CommandCode(0x86), "Register Issue ID Ex", "Sets the issue ID in its extended form."),
        .init(CommandCode(0x88), "Separate System", "Divides the card into systems."),
        .init(CommandCode(0x8E), "Change System Block", "Makes issuance effective."),
        .init(CommandCode(0x90), "Register Manufacture ID", "Sets the IDm in the factory."),
        .init(CommandCode(0x92), "Self Diagnosis", "Tests the chip in the factory."),
    ]
}
