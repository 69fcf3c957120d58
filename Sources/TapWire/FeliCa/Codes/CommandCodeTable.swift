// The codes of the commands that others speak of by name.
//
// Those of every tap, and Echo, with which the code of every answer is compared, are computed: that makes them
// constants in the module of the cards as well.

extension CommandCode {
    /// Finds cards by system code.
    @inlinable public static var polling: CommandCode { CommandCode(0x00) }
    /// Asks for key versions of nodes.
    @inlinable public static var requestService: CommandCode { CommandCode(0x02) }
    /// Asks for the mode.
    public static let requestResponse = CommandCode(0x04)
    /// Reads blocks without a session.
    @inlinable public static var readWithoutEncryption: CommandCode { CommandCode(0x06) }
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
    @inlinable public static var echo: CommandCode { CommandCode(0xF0, 0x00) }

    /// The commands with a published name, in the order of their codes.
    public static let known = (openCommands + optionCommands + sessionCommands + issuanceCommands).sorted {
        $0.code < $1.code
    }
}
