import ReactCore
import ReactOperators
import ReactScheduling
import Synchronization
import Testing

@testable import signup

/// Tests of the form in virtual time. `advance` runs its tasks too, so there is nothing to await.
@Suite("The form")
@MainActor struct SignUpTests {
    let scheduler = VirtualScheduler()
    let desk = FrontDesk()
    let form: SignUp
    let lifetime = Lifetime()

    init() {
        form = SignUp(.virtual(scheduler), directory: desk.directory(scheduler.clock))
    }

    private func fill(name: String = "edith") {
        form.name.value = name
        form.email.value = "edith@example.org"
        form.password.value = "correct horse"
        form.repeated.value = "correct horse"
    }

    @Test("an empty form may not be submitted, and says what is missing")
    func empty() {
        #expect(form.maySubmit.value == false)
        #expect(form.nameProblem.current == "is missing")
        #expect(form.emailProblem.current == "is missing")
        #expect(form.passwordProblem.current == "is missing")
        #expect(form.repeatedProblem.current == nil)
    }

    @Test("the button may be pressed when all fields are fine and the name is free, not before")
    func fine() {
        fill()
        #expect(form.maySubmit.value == false)
        scheduler.advance(by: .milliseconds(300))
        #expect(form.availability.value == .checking)
        #expect(form.maySubmit.value == false)
        scheduler.advance(by: .seconds(1))
        #expect(form.availability.value == .free)
        #expect(form.maySubmit.value == true)
    }

    @Test("each field alone keeps the button from being pressed, until it is fine again")
    func eachField() {
        fill()
        scheduler.run()
        for (field, wrong) in [(form.email, "edith"), (form.password, "short"), (form.repeated, "correct house")] {
            let right = field.current
            field.value = wrong
            #expect(form.maySubmit.value == false)
            field.value = right
            // A password that was wrong is not the one that was repeated, until it is right.
            #expect(form.maySubmit.value == true)
        }
    }

    @Test("a name that is taken may not be submitted")
    func taken() {
        desk.names.withLock { _ = $0.insert("edith") }
        fill()
        scheduler.run()
        #expect(form.availability.value == .taken)
        #expect(form.maySubmit.value == false)
    }

    @Test("the answer for another name than the one that is there counts for nothing")
    func stale() {
        fill()
        scheduler.run()
        #expect(form.maySubmit.value == true)
        form.name.value = "edith2"
        #expect(form.availability.value == .unknown)
        #expect(form.maySubmit.value == false)
        scheduler.run()
        #expect(form.maySubmit.value == true)
    }

    @Test("a name is asked for when the typing stops, and what was under way for another is cancelled")
    func typing() {
        for name in ["edi", "edit", "edith"] {
            form.name.value = name
            scheduler.advance(by: .milliseconds(299))
        }
        #expect(desk.asked == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(desk.asked == ["edith"])
        form.name.value = "edith-s"
        scheduler.advance(by: .milliseconds(300))
        scheduler.run()
        #expect(desk.asked == ["edith", "edith-s"])
        #expect(desk.answered == ["edith-s"])
    }

    @Test("a name that cannot be one is not asked for")
    func impossibleName() {
        form.name.value = "e!"
        scheduler.run()
        #expect(desk.asked == [])
        #expect(form.maySubmit.value == false)
    }

    @Test("a directory that does not answer is asked three times, a second apart")
    func retries() {
        desk.failures.withLock { $0 = 2 }
        fill()
        scheduler.advance(by: .milliseconds(300 + 500 + 1_000 + 500 + 999))
        #expect(desk.asked.count == 2)
        #expect(form.availability.value == .checking)
        scheduler.run()
        #expect(desk.asked.count == 3)
        #expect(form.availability.value == .free)
    }

    @Test("when it never answers, that is said, and another name is asked for all the same")
    func unreachable() {
        desk.failures.withLock { $0 = 3 }
        fill()
        scheduler.run()
        #expect(form.availability.value == .failed)
        #expect(form.maySubmit.value == false)
        form.name.value = "grace"
        scheduler.run()
        #expect(form.availability.value == .free)
    }

    @Test("submitting registers once, and the button may not be pressed again")
    func submits() {
        let heard = Mutex<[Bool]>([])
        form.maySubmit.listened(by: lifetime).with { mayBePressed in heard.withLock { $0.append(mayBePressed) } }
        fill()
        scheduler.run()
        form.submit()
        #expect(form.registration.value == .running)
        #expect(form.maySubmit.value == false)
        form.submit()
        scheduler.run()
        #expect(form.registration.value == .done(name: "edith"))
        #expect(form.maySubmit.value == false)
        #expect(heard.withLock { $0 } == [false, true, false])
        #expect(desk.registered == [Account(name: "edith", email: "edith@example.org", password: "correct horse")])
    }

    @Test("a registration that failed may be tried again")
    func failedRegistration() {
        fill()
        scheduler.run()
        desk.failures.withLock { $0 = 1 }
        form.submit()
        scheduler.run()
        #expect(form.registration.value == .failed)
        #expect(form.maySubmit.value == true)
        form.submit()
        scheduler.run()
        #expect(form.registration.value == .done(name: "edith"))
    }

    @Test("a form that may not be submitted does nothing when the button is pressed")
    func pressedTooSoon() {
        form.submit()
        scheduler.run()
        #expect(form.registration.value == Registration.none)
        #expect(desk.registered == [])
    }

    @Test("a form that goes in the middle of a check leaves nothing behind")
    func letGo() {
        weak var gone: SignUp?
        do {
            let form = SignUp(.virtual(scheduler), directory: desk.directory(scheduler.clock))
            gone = form
            form.name.value = "edith"
            scheduler.advance(by: .milliseconds(400))
            #expect(form.availability.value == .checking)
        }
        #expect(gone == nil)
        scheduler.run()
        #expect(desk.answered == [])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("passwords are not in descriptions")
    func secrets() {
        fill()
        #expect(!"\(form.password) \(form.repeated)".contains("horse"))
    }
}

/// A directory that answers, or fails a given number of times first.
final class FrontDesk: Sendable {
    let names = Mutex<Set<String>>([])
    let failures = Mutex(0)
    private let log = Mutex<(asked: [String], answered: [String], registered: [Account])>(([], [], []))

    var asked: [String] { log.withLock { $0.asked } }
    var answered: [String] { log.withLock { $0.answered } }
    var registered: [Account] { log.withLock { $0.registered } }

    func directory(_ clock: any Clock<Duration>) -> Directory {
        Directory(
            isTaken: { [self] name in
                log.withLock { $0.asked.append(name) }
                try await answer(clock)
                log.withLock { $0.answered.append(name) }
                return names.withLock { $0.contains(name) }
            },
            register: { [self] account in
                try await answer(clock)
                log.withLock { $0.registered.append(account) }
            })
    }
    private func answer(_ clock: any Clock<Duration>) async throws {
        try await clock.sleep(for: .milliseconds(500))
        let fails = failures.withLock { failures in
            defer { failures = max(failures - 1, 0) }
            return failures > 0
        }
        if fails { throw Directory.Unreachable() }
    }
}
