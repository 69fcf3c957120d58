import Testing
import UIKit

/// Texts and the notifications during editing.
@MainActor
@Suite struct `A text` {
    private final class Form: UIViewController, UITextFieldDelegate {
        var allowsEnd = true
        var heard: [String] = []

        func textFieldDidBeginEditing(_ textField: UITextField) { heard.append("begin") }
        func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { allowsEnd }
        func textFieldDidEndEditing(_ textField: UITextField) { heard.append("end \(textField.text ?? "")") }
        func changed(_ field: UITextField) { heard.append("changed") }
    }

    private let form = Form()
    private let field = UITextField()

    @Test func `of a field is kept, and never nil`() {
        #expect(field.text?.isEmpty == true)
        field.text = "page 4"
        #expect(field.text == "page 4")
        field.text = nil
        #expect(field.text?.isEmpty == true)
        #expect(UITextView().text.isEmpty)
        #expect(UILabel().text == nil)
    }

    @Test func `is edited between two words to the delegate`() {
        field.delegate = form
        field.addTarget(form, action: Selector(Form.changed(_:)), for: .editingChanged)
        form.view.addSubview(field)
        #expect(field.becomeFirstResponder())
        #expect(field.isFirstResponder)
        field.insertText("04")
        #expect(form.view.endEditing(true))
        #expect(!field.isEditing)
        #expect(form.heard == ["begin", "changed", "end 04"])
    }

    @Test func `stays edited while the delegate says so, and is not where the field is disabled`() {
        field.delegate = form
        form.allowsEnd = false
        field.becomeFirstResponder()
        #expect(!field.resignFirstResponder())
        #expect(field.isEditing)
        let other = UITextField()
        other.isEnabled = false
        #expect(!other.becomeFirstResponder())
    }

    @Test func `of a view is told to its delegate when a person writes`() {
        final class Notes: NSObject, UITextViewDelegate {
            var texts: [String] = []

            func textViewDidChange(_ textView: UITextView) { texts.append(textView.text) }
        }
        let (view, notes) = (UITextView(), Notes())
        view.delegate = notes
        view.text = "a"
        view.insertText("b")
        #expect(notes.texts == ["ab"])
    }

    @Test func `is asked for in a message and taken by its button`() throws {
        let alert = UIAlertController(title: "Password", message: nil, preferredStyle: .alert)
        alert.addTextField { $0.placeholder = "8 digits" }
        var entered: String?
        alert.addAction(UIAlertAction(title: "OK", style: .default) { _ in entered = alert.textFields?.first?.text })
        form.present(alert, animated: true)
        let shown = try #require(form.presentedViewController as? UIAlertController)
        shown.textFields?.first?.text = "01020304"
        shown.actions.first?.handler?(shown.actions[0])
        #expect(entered == "01020304")
    }
}
