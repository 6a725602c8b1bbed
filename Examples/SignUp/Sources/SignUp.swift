import ReactCore
import ReactOperators
import ReactScheduling

/// The form's view model: the fields, their problems, and the state of the button.
///
///     name ─┬─▶ problem ───────────────────────────────┐
///           └─▶ debounce ─▶ mapLatest ─▶ availability ─┤
///     email ──▶ problem ───────────────────────────────┼─▶ maySubmit
///     password, repeated ─▶ problems ──────────────────┤
///     submit() ─▶ mapLatest ─▶ registration ───────────┘
///
/// Time is a parameter. `scheduler` and `clock` are the system's in the program, and those of one `VirtualScheduler` in
/// tests.
@MainActor final class SignUp {
    // The contents of the fields.
    let name = MutableNode("").named("name")
    let email = MutableNode("").named("email")
    let password = MutableNode("").named("password").redacted()
    let repeated = MutableNode("").named("repeated").redacted()

    /// The problem of each field, or `nil`.
    let nameProblem: Node<String?>
    let emailProblem: Node<String?>
    let passwordProblem: Node<String?>
    let repeatedProblem: Node<String?>
    /// The availability of the name.
    let availability: Node<Availability>
    /// The phase of the last submission.
    let registration: Node<Registration>
    /// True while the button may be pressed.
    let maySubmit: Node<Bool>

    private let submitted = MutableNode<Account>().named("submitted").redacted()

    init(_ time: Time, directory: Directory) {
        nameProblem = name.map(Rules.problem(ofName:))
        emailProblem = email.map(Rules.problem(ofEmail:))
        passwordProblem = password.map(Rules.problem(ofPassword:))
        repeatedProblem = combine(password, repeated) { $0 == $1 ? nil : "is not the same" }

        // A name is looked up when it has not changed for a moment, and only if it meets the rules.
        let settled = name.debounce(.milliseconds(300), on: time.scheduler)
        let answer = settled.mapLatest(executorPreference: time.executor) { name in
            guard Rules.problem(ofName: name) == nil else { return false }
            return try await retrying(3, after: .seconds(1), clock: time.clock) { try await directory.isTaken(name) }
        }
        let availability = MutableNode(Availability.unknown).named("availability")
        availability.link(to: combine(name, settled, answer, transform: Availability.init))
        self.availability = availability

        let registration = MutableNode(Registration.none).named("registration")
        let work = submitted.mapLatest(executorPreference: time.executor) { account in
            try await directory.register(account)
            return account.name
        }
        registration.link(to: work.map(Registration.init))
        self.registration = registration

        maySubmit = combine(
            nameProblem, emailProblem, passwordProblem, repeatedProblem, availability, registration
        ) { name, email, password, repeated, availability, registration in
            name == nil && email == nil && password == nil && repeated == nil && availability == .free
                && registration.mayBegin
        }.distinctUntilChanged().named("maySubmit")
    }

    /// Presses the button. Does nothing while the button may not be pressed.
    func submit() {
        guard maySubmit.value == true else { return }
        submitted.value = Account(name: name.current, email: email.current, password: password.current)
    }
}

/// The data of one sign-up.
struct Account: Sendable, Equatable {
    var name: String
    var email: String
    var password: String
}

/// The availability of a name.
enum Availability: Sendable, Equatable {
    /// The name was not looked up: nobody has asked, the name has changed since, or it does not meet the rules.
    case unknown
    case checking, free, taken
    /// The directory did not answer.
    case failed

    /// The availability of `name`. `phase` is the phase of the check for `settled`.
    init(name: String, settled: String, phase: TaskPhase<Bool>) {
        guard name == settled, Rules.problem(ofName: name) == nil else {
            self = .unknown
            return
        }
        self =
            switch phase {
            case .running: .checking
            case .finished(let isTaken): isTaken ? .taken : .free
            case .failed: .failed
            }
    }
}

/// The phases of a submission.
enum Registration: Sendable, Equatable {
    /// Nothing has been submitted.
    case none
    case running
    case done(name: String)
    case failed

    init(_ phase: TaskPhase<String>) {
        self =
            switch phase {
            case .running: .running
            case .finished(let name): .done(name: name)
            case .failed: .failed
            }
    }
    var mayBegin: Bool { self == .none || self == .failed }
}
