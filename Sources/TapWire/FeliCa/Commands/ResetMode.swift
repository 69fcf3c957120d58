/// Reset Mode, command code 3E: ends a session and goes back to Mode0.
///
/// ```
/// command   0C | 3E | IDm (8) | 00 00
/// response  0C | 3F | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Reset Mode".
public enum ResetMode: FeliCaCommand {
    public static let code = CommandCode.resetMode

    public typealias Request = ReservedRequest<ResetMode>
    public typealias Response = StatusResponse<ResetMode>
}
