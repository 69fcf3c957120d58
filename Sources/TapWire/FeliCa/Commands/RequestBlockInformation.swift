/// Request Block Information, command code 0E: how many blocks nodes have.
///
/// ```
/// command   LEN | 0E | IDm (8) | n | node code (LE) × n
/// response  LEN | 0F | IDm (8) | n | number of blocks (LE) × n
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum RequestBlockInformation: FeliCaCommand {
    public static let code = CommandCode.requestBlockInformation

    public typealias Request = NodeListRequest<RequestBlockInformation>
    /// The answer; its values are block counts.
    public typealias Response = NodeValuesResponse<RequestBlockInformation>
}
