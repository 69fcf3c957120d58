import Foundation

/// A message with buttons.
open class UIAlertController: UIViewController {
    /// How it is shown.
    public enum Style: Int, Sendable {
        /// From the edge of the screen.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }

    /// The text below the title.
    open var message: String?
    /// How it is shown.
    public let preferredStyle: Style
    /// The buttons, in order.
    open private(set) var actions: [UIAlertAction] = []
    /// The text fields, in order.
    open private(set) var textFields: [UITextField]?

    /// A message without buttons.
    public init(title: String?, message: String?, preferredStyle: Style) {
        self.message = message
        self.preferredStyle = preferredStyle
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    /// A message of an archive, of which nothing is read.
    public required init?(coder: NSCoder) {
        preferredStyle = .alert
        super.init(coder: coder)
    }

    /// Adds a button.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
    }

    /// Adds a text field.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        let field = UITextField()
        configurationHandler?(field)
        textFields = (textFields ?? []) + [field]
    }
}

/// A button of a message.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    /// What a button stands for.
    public enum Style: Int, Sendable {
        /// A plain choice.
        case `default` = 0
        /// Leaves things as they are.
        case cancel = 1
        /// Removes something.
        case destructive = 2
    }

    /// The text of the button.
    public let title: String?
    /// What it stands for.
    public let style: Style
    /// Whether it can be pressed.
    open var isEnabled = true
    /// What happens when it is pressed; a test calls it to press.
    public let handler: ((UIAlertAction) -> Void)?

    /// A button.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
    }
}
