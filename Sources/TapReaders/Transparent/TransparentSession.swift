import TapField
import TapWire

/// The transparent session of a reader: a host that drives the field and the card by itself.
///
/// Data objects are carried out in order; the first that fails ends the command. How frames are sent and received
/// stays as set until the session ends. The RC-S300 begins with FeliCa, and its protocol can be switched before a
/// session starts, since open drivers of it send FeliCa packets without any switch.
/// Source: PC/SC part 3, supplement for contactless cards, "transparent session".
struct TransparentSession: Sendable {
    /// Version of the data objects: that of the supplement.
    private static let version: [UInt8] = [2, 2, 0]
    /// Most objects of one command, and most parameters of one object; real readers have room for fewer.
    static let maximumObjects = 16
    /// Most card time that one timer object lets pass by itself.
    private static let longestPause = Duration.seconds(10)

    /// Whether a session is open.
    private(set) var isOpen = false
    let dialect: SessionRequest.Dialect
    var channel: RawChannel
    var waiting: Duration?
    var parameters: [UInt8: [UInt8]] = [:]
    /// What came back for a transmit object, until a receive object takes it.
    var received: RawChannel.Reception?

    /// What an object leads to.
    typealias Outcome = Result<[SessionObject], ObjectFailure>

    /// Why an object failed.
    struct ObjectFailure: Error {
        let status: StatusWord
    }

    /// Carries a command out.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - world: Where the cards are.
    mutating func answer(_ request: SessionRequest, in world: inout World) -> SessionResponse {
        let (objects, broken) = request.objects
        var answers: [SessionObject] = []
        waiting = nil
        for (index, object) in objects.prefix(Self.maximumObjects).enumerated() {
            do throws(ObjectFailure) {
                answers += try perform(object, of: request.step, in: &world)
            } catch {
                return SessionResponse(ObjectStatus(error.status, index: Self.number(index)), answers)
            }
        }
        guard broken.isEmpty, objects.count <= Self.maximumObjects else {
            let index = min(objects.count, Self.maximumObjects)
            return SessionResponse(ObjectStatus(.wrongLength, index: Self.number(index)), answers)
        }
        return SessionResponse(.success, answers)
    }

    /// The number of an object as a status gives it, from 1.
    private static func number(_ index: Int) -> UInt8 { UInt8(clamping: index + 1) }

    private mutating func perform(
        _ object: SessionObject, of step: SessionRequest.Step, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        switch step {
        case .manage: return try manage(object, in: &world)
        case .exchange: return try exchange(object, in: &world)
        case .switchProtocol: return try switchProtocol(object, in: &world)
        default: throw ObjectFailure(status: .notSupported)
        }
    }

    private mutating func manage(
        _ object: SessionObject, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        switch object.tag {
        case .version:
            return [SessionObject(.version, Self.version)]
        case .start:
            try checkEmpty(object)
            let technology = channel.technology
            close()
            isOpen = true
            if dialect == .rcs300 { channel = RawChannel(technology: technology) }
        case .end:
            try checkEmpty(object)
            close()
        case .fieldOff, .fieldOn:
            try checkEmpty(object)
            try checkOpen()
            world.switchField(on: object.tag == .fieldOn)
        case .timer:
            world.advance(by: min(try timer(object), Self.longestPause))
        case .getParameters: return [try parameters(askedBy: object)]
        case .setParameters: try setParameters(object)
        default: throw ObjectFailure(status: .notSupported)
        }
        return []
    }

    /// Creates a reader's session, which is closed.
    init(_ dialect: SessionRequest.Dialect = .standard) {
        self.dialect = dialect
        channel = RawChannel(technology: dialect == .rcs300 ? .felica212 : .typeA106)
    }

    /// Ends the session, as a reset of the reader does.
    mutating func close() {
        self = TransparentSession(dialect)
    }

    func checkOpen() throws(ObjectFailure) {
        guard isOpen else { throw ObjectFailure(status: .noDiagnosis) }
    }

    private func checkEmpty(_ object: SessionObject) throws(ObjectFailure) {
        guard object.value.isEmpty else { throw ObjectFailure(status: .wrongLength) }
    }

    func timer(_ object: SessionObject) throws(ObjectFailure) -> Duration {
        guard let microseconds = object.microseconds else { throw ObjectFailure(status: .wrongLength) }
        return .microseconds(Int64(microseconds))
    }
}
