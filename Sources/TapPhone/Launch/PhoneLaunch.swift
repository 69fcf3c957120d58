import TapDoors
import TapField
import TapScenario
import TapServe

/// The phone of an app whose launch environment names cards.
public enum PhoneLaunch {
    private static let made = Lock<LaunchedPhone??>(nil)

    /// The phone, made when it is first asked for, on the clock of the machine; nothing if the launch environment names
    /// neither a file nor cards, or is wrong, which is told on standard error.
    ///
    /// - Parameter declarations: What the app declares.
    public static func phone(declaring declarations: @autoclosure () -> PhoneDeclarations) -> VirtualPhone? {
        made.withLock { made in
            let launched =
                made
                ?? LaunchedPhone(declarations(), variable: { ProcessEnvironment[$0] }) { line in
                    WholeOutput.tellError("TapSim: \(line)")
                }
            made = .some(launched)
            return launched?.phone
        }
    }
}

/// A phone that the launch environment asked for, and the socket on which it is steered.
struct LaunchedPhone: Sendable {
    let phone: VirtualPhone
    let steering: PhoneSteering

    /// Makes the phone, or nothing if the environment asks for none or is wrong.
    ///
    /// - Parameters:
    ///   - declarations: What the app declares, where the case does not say it.
    ///   - variable: Gives the value of a variable.
    ///   - tell: Told what is wrong, and how the phone is steered.
    init?(_ declarations: PhoneDeclarations, variable: (String) -> String?, _ tell: (String) -> Void) {
        do throws(AppScenarioError) {
            guard let launch = try LaunchEnvironment(variable) else { return nil }
            let scenarioCase = launch.scenarioCase
            var stated = PhoneSettings(scenarioCase, clock: .real)
            if !stated.declarations.isGiven { stated.declarations = declarations }
            let settings = stated
            phone = try Self.phone(before: scenarioCase, settings)
            let field = SteeredField(
                scenarioCase, on: phone.host, usedBy: PhoneUser(phone),
                again: launch.again + CommandLine.arguments.prefix(1)
            ) { [settings] in VirtualPhone.makeWorld(of: scenarioCase, settings) }
            let control = variable(FieldService.variable).flatMap { $0.isEmpty ? nil : $0 }
            steering = PhoneSteering(field, at: control, tell)
        } catch {
            tell("\(error); NFC reading is not available")
            return nil
        }
    }

    private static func phone(
        before scenarioCase: ScenarioCase, _ settings: PhoneSettings
    ) throws(AppScenarioError) -> VirtualPhone {
        do { return try VirtualPhone(scenarioCase, settings) } catch { throw AppScenarioError("\(error)") }
    }

    /// Ends the steering and the phone.
    func close() {
        steering.close()
        phone.close()
    }
}
