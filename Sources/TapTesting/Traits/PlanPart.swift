import TapPhone
import TapScenario
import Testing

/// What one trait says, and where it stands.
struct PlanPart: Sendable {
    /// What is said.
    enum Content: Sendable {
        /// A card; one that is away lies before the phone only when it is tapped.
        case card(VirtualCard, name: String?, isAway: Bool)
        /// A fault, when it strikes, which time it is that it strikes, and how often.
        case fault(VirtualFault, VirtualEvent?, nth: Int?, times: String?)
        /// Steps of a timeline.
        case timeline(Node)
        /// Keys of `phone` of a scenario file.
        case phone(Node)
        /// A scenario file and the case of it.
        case scenario(String, case: String?)
        case seed(UInt64)
        /// What the time of a session is counted in.
        case clock(PhoneSettings.Clock)
        /// How long an app may do nothing before virtual time goes on.
        case idle(Duration)
        /// Where devices differ.
        case policy(PhonePolicy)
        /// A session may be open when the test ends.
        case leavesSessionOpen
    }

    let content: Content
    let location: SourceLocation
}
