import ReactCore
import ReactGraph
import ReactOperators
import ReactScheduling

/// Shows the form as lines of text, and prints each change.
@MainActor final class Front: Listener {
    let lifetime = Lifetime()
    private let form: SignUp
    /// Is set to true when the button is pressed.
    private let button = MutableNode<Bool>().named("button")
    private let print: (String) -> Void

    init(_ form: SignUp, print: @escaping (String) -> Void) {
        self.form = form
        self.print = print
        hear(form.availability, as: "name", except: .unknown) { $0.text }
        hear(form.registration, as: "sign-up", except: .none) { $0.text }
        listen(to: form.maySubmit).call(Front.showButton)
        listen(to: button).call(Front.press)
    }

    /// The nodes that are set from outside.
    var sources: JournalSources {
        var sources = JournalSources()
        for field in Instruction.Field.allCases { sources.add(node(of: field), named: field.rawValue) }
        sources.add(button)
        return sources
    }
    /// The nodes that a journal notes.
    var watched: [AnyNode] { [form.availability, form.registration, form.maySubmit] }
    /// The text of one of these.
    func text(of name: String) -> String? {
        switch name {
        case "availability": form.availability.value.map { "\($0)" }
        case "registration": form.registration.value.map { "\($0)" }
        default: form.maySubmit.value.map { "\($0)" }
        }
    }

    private func hear<Value: Equatable>(
        _ node: Node<Value>, as label: String, except silent: Value, _ text: @escaping @Sendable (Value) -> String
    ) {
        listen(to: node.distinctUntilChanged()).withOnMainActor { [weak self] value in
            if value != silent { self?.print("  \(label): \(text(value))") }
        }
    }
    private func showButton(_ mayBePressed: Bool) {
        print(mayBePressed ? "  [ Sign up ]" : "  ( Sign up )")
    }

    /// Runs one line of a script. `wait` lets time pass.
    func perform(_ instruction: Instruction, wait: (Duration) async throws -> Void) async rethrows {
        switch instruction {
        case .type(let field, let text): node(of: field).value = text
        case .submit: button.pulse(true)
        case .show: show()
        case .wait(let duration): try await wait(duration)
        }
    }
    private func press() { form.submit() }
    private func node(of field: Instruction.Field) -> MutableNode<String> {
        switch field {
        case .name: form.name
        case .email: form.email
        case .password: form.password
        case .repeat: form.repeated
        }
    }
    private func show() {
        // A name that meets the rules may be taken all the same.
        let name = form.nameProblem.current.map { " \($0)" } ?? ": \(form.availability.current.text)"
        print("  name\(name)")
        let rows = [("email", form.emailProblem), ("password", form.passwordProblem), ("repeat", form.repeatedProblem)]
        for (label, problem) in rows { print("  \(label) \(problem.current ?? "is fine")") }
    }
}

extension Availability {
    fileprivate var text: String {
        switch self {
        case .unknown: "not asked yet"
        case .checking: "asking whether it is free …"
        case .free: "is free"
        case .taken: "is taken"
        case .failed: "nobody knows whether it is free: the directory does not answer"
        }
    }
}
extension Registration {
    fileprivate var text: String {
        switch self {
        case .none: "nothing submitted"
        case .running: "under way …"
        case .done(let name): "done, welcome \(name)"
        case .failed: "the directory does not answer; try again"
        }
    }
}
