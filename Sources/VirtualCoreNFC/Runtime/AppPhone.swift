#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    extension VirtualPhone {
        /// The phone of code that runs here: that of a test, else the one that the launch environment asks for.
        static var ofApp: VirtualPhone? { inEffect ?? PhoneLaunch.phone(declaring: .ofApp) }
    }

    extension PhoneDeclarations {
        private static let systemCodes = "com.apple.developer.nfc.readersession.felica.systemcodes"
        private static let selectIdentifiers = "com.apple.developer.nfc.readersession.iso7816.select-identifiers"
        private static let usage = "NFCReaderUsageDescription"

        /// What the Info.plist of this program declares, beside it on Linux.
        ///
        /// One that says nothing about NFC counts only in an app: a command or a runner of tests has one of its own.
        static var ofApp: PhoneDeclarations {
            let values = Bundle.main.infoDictionary ?? [:]
            let saysAnything = [systemCodes, selectIdentifiers, usage].contains { values[$0] != nil }
            guard saysAnything || Bundle.main.bundlePath.hasSuffix(".app") else { return .notGiven }
            return PhoneDeclarations(
                feliCaSystemCodes: values[systemCodes] as? [String] ?? [],
                iso7816SelectIdentifiers: values[selectIdentifiers] as? [String] ?? [],
                usageDescription: values[usage] as? String)
        }
    }
#endif
