/// SetParameters, code 12: one byte of flags; the answer is empty.
public enum SetParameters: PN532Command {
    public static let code = PN532Code.setParameters

    /// The command, one byte.
    public typealias Request = PN532DataRequest<SetParameters>
    /// The answer, empty.
    public typealias Response = PN532DataResponse<SetParameters>
}

/// SAMConfiguration, code 14: mode, then optionally a timeout and a byte for the IRQ pin; the answer is empty.
public enum SAMConfiguration: PN532Command {
    public static let code = PN532Code.samConfiguration

    public typealias Request = PN532DataRequest<SAMConfiguration>
    /// The answer, empty.
    public typealias Response = PN532DataResponse<SAMConfiguration>
}

/// PowerDown, code 16: what wakes the chip; a status answers.
public enum PowerDown: PN532Command {
    public static let code = PN532Code.powerDown

    public typealias Request = PN532DataRequest<PowerDown>
    public typealias Response = PN532StatusResponse<PowerDown>
}

/// Diagnose, code 00: the number of a test and its data.
public enum Diagnose: PN532Command {
    public static let code = PN532Code.diagnose

    public typealias Request = PN532DataRequest<Diagnose>
    public typealias Response = PN532DataResponse<Diagnose>
}

/// GetGeneralStatus, code 04: last error, field, targets, and the state of the SAM.
public enum GetGeneralStatus: PN532Command {
    public static let code = PN532Code.getGeneralStatus

    public typealias Request = PN532DataRequest<GetGeneralStatus>
    public typealias Response = PN532DataResponse<GetGeneralStatus>
}
