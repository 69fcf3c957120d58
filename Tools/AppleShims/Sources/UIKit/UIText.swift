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
    /// On which side the text would stand.
    open var textAlignment = NSTextAlignment.natural
    /// How many lines it would have; 0 for as many as it takes.
    open var numberOfLines = 1
    /// Whether the text would be made smaller until it fits.
    open var adjustsFontSizeToFitWidth = false
}

/// What a keyboard would look like.
public enum UIKeyboardType: Int, Sendable {
    /// As always.
    case `default` = 0
    /// For letters without accents.
    case asciiCapable = 1
    case numbersAndPunctuation = 2
    case URL = 3
    case numberPad = 4
    case decimalPad = 8
}

/// What the return key would say.
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

    /// What was written; never nil when read.
    open var text: String? {
        get { written }
        set { written = newValue ?? "" }
    }
    open var placeholder: String?
    open var textColor: UIColor? = .label
    open var font: UIFont? = .systemFont(ofSize: 17)
    /// On which side the text would stand.
    open var textAlignment = NSTextAlignment.natural
    /// What its edge would look like.
    open var borderStyle = BorderStyle.none
    open var keyboardType = UIKeyboardType.default
    /// What the return key would say.
    open var returnKeyType = UIReturnKeyType.default
    /// Whether dots would be shown.
    open var isSecureTextEntry = false
    /// Who is asked while it is edited.
    open weak var delegate: (any UITextFieldDelegate)?

    private var written = ""

    open var isEditing: Bool { isFirstResponder }
    open override var canBecomeFirstResponder: Bool { isEnabled }

    /// Begins the editing, unless its delegate is against it.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        guard delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        return true
    }

    /// Ends the editing, unless its delegate is against it.
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

/// Who is asked while a text field is edited; what it does not say is yes.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Whether the return key acts; it is never pressed here.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
    /// Whether text may change; no text is typed here.
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
    /// What was written; never nil when read.
    open var text: String! {
        get { written }
        set { written = newValue ?? "" }
    }
    open var textColor: UIColor? = .label
    open var font: UIFont?
    /// On which side the text would stand.
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

/// Who is told when a text is edited.
@preconcurrency @MainActor
public protocol UITextViewDelegate: NSObjectProtocol {
    func textViewDidChange(_ textView: UITextView)
}

extension UITextViewDelegate {
    public func textViewDidChange(_ textView: UITextView) {}
}
