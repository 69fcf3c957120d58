import TapWire

/// An area or a service as a card looks it up: fixed size, no references.
struct FeliCaNode: Hashable, Sendable {
    let code: NodeCode
    /// The last service code of an area; the code itself of a service.
    let end: NodeCode
    /// Version of the DES key, ``RequestService/absent`` where there is none.
    let desVersion: UInt16
    /// Version of the AES key, ``RequestService/absent`` where there is none.
    let aesVersion: UInt16
    /// Index of the first block of a service among all blocks of the card.
    var firstBlock: UInt16 = 0
    /// Blocks of a service; blocks of all services in an area and its areas.
    var blockCount: UInt16 = 0
    /// Blocks of a service; blocks set aside for an area.
    var assignedBlocks = 0
    /// Blocks set aside for an area that no service or area in it takes.
    var freeBlocks = 0
    /// What Get Area Information reports.
    var information: UInt16 = 0
    /// Limits of a purse.
    var purseLimits = PurseLimits.disabled
    /// Whether the node is used with MAC communication.
    var hasMACCommunication = false

    init(_ code: NodeCode, end: NodeCode, keys: FeliCaKeys) {
        self.code = code
        self.end = end
        desVersion = keys.desVersion ?? RequestService.absent
        aesVersion = keys.aesVersion ?? RequestService.absent
    }

    /// The blocks of a service among all blocks of the card.
    @inline(__always)
    var blocks: Range<Int> { Int(firstBlock)..<Int(firstBlock) + Int(blockCount) }

    /// Whether the node is an area.
    var isArea: Bool { code.attribute.kind == .area }
}

/// A system as a card looks it up: fixed size, no references.
struct FeliCaSystem: Hashable, Sendable {
    let code: SystemCode
    /// Its IDm.
    let idm: IDm
    /// Where the numbers of its nodes begin among those of all systems.
    let firstNumber: UInt16
    /// Which ciphers its keys are for.
    let encryption: RequestServiceV2.EncryptionIdentifier
    /// Its areas and services among all nodes of the card, in ascending order of codes; behind them, itself.
    let nodes: Range<Int>
}
