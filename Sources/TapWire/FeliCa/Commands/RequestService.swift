/// Request Service, command code 02: whether nodes exist, and the version of their keys.
///
/// ```
/// command   LEN | 02 | IDm (8) | n | node code (LE) × n
/// response  LEN | 03 | IDm (8) | n | key version (LE) × n
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Service".
public enum RequestService: FeliCaCommand {
    @inlinable public static var code: CommandCode { .requestService }
    /// The key version of a node that does not exist, or has no key of that kind.
    public static let absent: UInt16 = 0xFFFF

    public typealias Request = NodeListRequest<RequestService>
    /// The answer; its values are key versions.
    public typealias Response = NodeValuesResponse<RequestService>
}
