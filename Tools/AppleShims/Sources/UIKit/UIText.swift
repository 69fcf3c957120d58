import Foundation

/// A text on the screen.
open class UILabel: UIView {
    /// What it says.
    open var text: String?
    /// What it says, with how it looks.
    open var attributedText: NSAttributedString? {
        get { text.map { NSAttributedString(string: $0) } }
        set { text = newValue?.string }
    }
    /// The color of the text.
    open var textColor: UIColor? = .label
    /// The font of the text.
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
    /// For numbers and signs.
    case numbersAndPunctuation = 2
    /// For addresses.
    case URL = 3
    /// For digits.
    case numberPad = 4
    /// For digits and a point.
    case decimalPad = 8
}

/// What the return key would say.
public enum UIReturnKeyType: Int, Sendable {
    /// Return.
    case `default` = 0
    /// Go.
    case go = 1
    /// Next.
    case next = 4
    /// Done.
    case done = 9
}

/// A line of text that a person can edit.
open class UITextField: UIControl {
    /// What its edge looks like.
    public enum BorderStyle: Int, Sendable {
        /// Nothing.
        case none = 0
        /// A line.
        case line = 1
        /// Round corners.
        case roundedRect = 3
    }

    /// What was written; never nil when read.
    open var text: String? {
        get { written }
        set { written = newValue ?? "" }
    }
    /// What is said while it is empty.
    open var placeholder: String?
    /// The color of the text.
    open var textColor: UIColor? = .label
    /// The font of the text.
    open var font: UIFont? = .systemFont(ofSize: 17)
    /// On which side the text would stand.
    open var textAlignment = NSTextAlignment.natural
    /// What its edge would look like.
    open var borderStyle = BorderStyle.none
    /// The keyboard for it.
    open var keyboardType = UIKeyboardType.default
    /// What the return key would say.
    open var returnKeyType = UIReturnKeyType.default
    /// Whether dots would be shown.
    open var isSecureTextEntry = false
    /// Who is asked while it is edited.
    open weak var delegate: (any UITextFieldDelegate)?

    private var written = ""

    /// Whether it is being edited.
    open var isEditing: Bool { isFirstResponder }
    /// It can be edited while it is enabled.
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

    /// Writes at the end of the text.
    open func insertText(_ text: String) {
        written += text
        sendActions(for: .editingChanged)
    }
}

/// Who is asked while a text field is edited; what it does not say is yes.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
    /// Whether the editing may begin.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    /// The editing has begun.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// Whether the editing may end.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    /// The editing has ended.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Whether the return key does what it does; nobody presses it here.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
    /// Whether text may change; nobody types here.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
}

extension UITextFieldDelegate {
    /// It may.
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    /// Nothing to do.
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    /// It may.
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    /// Nothing to do.
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    /// It does.
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
    /// It may.
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
    /// The color of the text.
    open var textColor: UIColor? = .label
    /// The font of the text.
    open var font: UIFont?
    /// On which side the text would stand.
    open var textAlignment = NSTextAlignment.natural
    /// Whether a person can change it.
    open var isEditable = true
    /// Whether a person can choose parts of it.
    open var isSelectable = true
    /// Who is told when it is edited.
    open weak var delegate: (any UITextViewDelegate)?

    private var written = ""

    /// It can be edited, if a person may.
    open override var canBecomeFirstResponder: Bool { isEditable }

    /// Writes at the end of the text.
    open func insertText(_ text: String) {
        written += text
        delegate?.textViewDidChange(self)
    }

    /// Would show a part of the text.
    open func scrollRangeToVisible(_ range: NSRange) {}
}

/// Who is told when a text is edited.
@preconcurrency @MainActor
public protocol UITextViewDelegate: NSObjectProtocol {
    /// The text has changed.
    func textViewDidChange(_ textView: UITextView)
}

extension UITextViewDelegate {
    /// Nothing to do.
    public func textViewDidChange(_ textView: UITextView) {}
}
