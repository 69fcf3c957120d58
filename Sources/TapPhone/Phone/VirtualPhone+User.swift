import TapDoors
import TapField

/// What the person who holds the phone does.
extension VirtualPhone {
    /// The Cancel button on the sheet.
    public func cancel() {
        submit { $0.end(PhoneError(.userCanceled)) }
    }

    /// The app goes to the background, which ends its session.
    public func sendToBackground() {
        submit { $0.end(PhoneError(.sessionTerminatedUnexpectedly)) }
    }

    /// Switches NFC on or off, which ends a session.
    public func setRadio(on isOn: Bool) {
        submit { work in
            work.setRadio(on: isOn)
        }
    }
}
