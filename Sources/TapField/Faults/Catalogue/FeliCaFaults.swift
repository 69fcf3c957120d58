import TapWire

extension FaultCatalogue {
    /// What FeliCa cards answer wrongly, or not at all.
    static let felica: [FaultKind] = feliCaPackets + feliCaBlocks + feliCaDirectory + feliCaConduct
}

extension FaultScope {
    /// Commands whose answers carry the IDm.
    static let feliCaIDm = FaultScope(
        commands: Set(CommandName.all.filter { $0.layer == .felica }).subtracting(withoutIDm))
    /// Commands whose answers have status flags.
    static let feliCaStatus = FaultScope.commands(
        "felica.read", "felica.write", "felica.request_code_list", "felica.request_block_information_ex",
        "felica.set_parameter", "felica.get_area_information", "felica.get_node_property", "felica.request_service_v2",
        "felica.get_system_status", "felica.request_product_information", "felica.request_specification_version",
        "felica.reset_mode")
    /// Reading blocks.
    static let feliCaRead = FaultScope.commands("felica.read")
    /// Polling.
    static let feliCaPolling = FaultScope.commands("felica.polling")
    /// Commands that name services by their codes.
    static let feliCaServices = FaultScope.commands(
        "felica.request_service", "felica.read", "felica.write", "felica.request_block_information",
        "felica.request_block_information_ex", "felica.get_node_property", "felica.request_service_v2")

    private static let withoutIDm = [
        "secure_read", "secure_write", "secure_read_v2", "secure_write_v2", "get_container_property",
        "get_container_id", "echo", "unknown",
    ].compactMap { CommandName("felica.\($0)") }
}

extension FaultParameter {
    /// How a number in an answer lies.
    static func lie(_ what: String) -> FaultParameter {
        FaultParameter(
            "say", .word(["more", "less", "zero"]), .word("more"),
            "Whether \(what) says more than there is, less, or 00.")
    }

    /// By how much a number in an answer lies.
    static let lieBy = FaultParameter("by", .integer(1...254), .integer(1), "How much more or less.")
}

extension FaultArguments {
    /// The code of a service, given as people say it.
    func service(_ name: String) -> NodeCode? {
        bytes(name).map { NodeCode(UInt16(truncatingIfNeeded: UInt64(octets: $0))) }
    }

    /// A number with the lie that `say` and `by` state.
    func lie(about number: UInt8) -> UInt8 {
        let by = integer("by") ?? 0
        return switch word("say") {
        case "less": UInt8(clamping: Int(number) - by)
        case "zero": 0
        default: UInt8(clamping: Int(number) + by)
        }
    }
}
