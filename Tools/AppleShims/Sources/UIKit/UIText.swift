import Foundation

/// A text on the screen.
open class UILabel: UIView {
    open var text: String?
    open var attributedText: NSAttributedString? {
        get { text.map { NSAttributedString(string: $0) } }
        set { text = newValue?.string }
    }
    open var textColor: UIColor? = .label
    open var font: UIFont? = .systemFont(ofSize: 17)
    open var textAlignment = NSTextAlignment.natural
    /// The maximum number of lines; 0 for no limit.
    open var numberOfLines = 1
    /// A Boolean value that indicates whether the text would shrink to fit.
    open var adjustsFontSizeToFitWidth = false
}

/// The type of a keyboard.
public enum UIKeyboardType: Int, Sendable {
    /// The default keyboard.
    case `default` = 0
    /// For letters without accents.
    case asciiCapable = 1
    case numbersAndPunctuation = 2
    case URL = 3
    case numberPad = 4
    case decimalPad = 8
}

/// The label of the return key.
public enum UIReturnKeyType: Int, Sendable {
    case `default` = 0
    case go = 1
    case next = 4
    case done = 9
}

/// A line of text that a person can edit.
open class UITextField: UIControl {
    public enum BorderStyle: Int, Sendable {
        case none = 0
        case line = 1
        case roundedRect = 3
    }

    /// The text; never nil when read.
    open var text: String? {
        get { written }
        set { written = newValue ?? "" }
    }
    open var placeholder: String?
    open var textColor: UIColor? = .label
    open var font: UIFont? = .systemFont(ofSize: 17)
    open var textAlignment = NSTextAlignment.natural
    open var borderStyle = BorderStyle.none
    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    /// A Boolean value that indicates whether the text would be hidden.
    open var isSecureTextEntry = false
    /// The object consulted while the text is edited.
    open weak var delegate: (any UITextFieldDelegate)?

    private var written = ""

    open var isEditing: Bool { isFirstResponder }
    open override var canBecomeFirstResponder: Bool { isEnabled }

    /// Starts editing, unless the delegate rejects it.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        guard delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        return true
    }

    /// Ends editing, unless the delegate rejects it.
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard delegate?.textFieldShouldEndEditing(self) ?? true else { return false }
        _ = super.resignFirstResponder()
        delegate?.textFieldDidEndEditing(self)
        sendActions(for: .editingDidEnd)
        return true
    }

    open func insertText(_ text: String) {
        written += text
        sendActions(for: .editingChanged)
    }
}

/// The object consulted while a text field is edited; unimplemented methods count as yes.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Returns `true` if the return key acts; it is never pressed here.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
    /// Returns `true` if the text may change; no text is typed here.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }
}

/// Lines of text that a person can edit.
open class UITextView: UIScrollView {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The text; never nil when read.
    open var text: String! {
        get { written }
        set { written = newValue ?? "" }
    }
    open var textColor: UIColor? = .label
    open var font: UIFont?
    open var textAlignment = NSTextAlignment.natural
    open var isEditable = true
    open var isSelectable = true
    open weak var delegate: (any UITextViewDelegate)?

    private var written = ""

    open override var canBecomeFirstResponder: Bool { isEditable }

    open func insertText(_ text: String) {
        written += text
        delegate?.textViewDidChange(self)
    }

    open func scrollRangeToVisible(_ range: NSRange) {}
}

/// The object notified when a text is edited.
@preconcurrency @MainActor
public protocol UITextViewDelegate: NSObjectProtocol {
    func textViewDidChange(_ textView: UITextView)
}

extension UITextViewDelegate {
    public func textViewDidChange(_ textView: UITextView) {}
}
