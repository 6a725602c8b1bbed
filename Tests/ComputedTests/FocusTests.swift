import ReactCore
import ReactOperators
import TestSupport
import Testing

struct Person: Sendable, Equatable {
    var name: String
    var age: Int
    var address = Address()
    /// What is set is kept between 0 and 100.
    var percent: Int {
        get { stored }
        set { stored = min(max(newValue, 0), 100) }
    }
    private var stored = 0

    init(name: String = "Ada", age: Int = 36) {
        self.name = name
        self.age = age
    }
}
struct Address: Sendable, Equatable {
    var street = "St James's Square"
    var number = 12
}

/// Its part's setter cuts the edge by which it is set.
private struct Cutting: Sendable {
    final class Scissors: Sendable { let edge = Locked<AnyTransform?>(nil) }
    let scissors = Scissors()
    var number = 0
    var part: Int {
        get { number }
        set {
            number = newValue
            scissors.edge.withLock { $0.take() }?.cancel()
        }
    }
}

@Suite("Focus") struct FocusTests {
    @Test("get-put: setting a part to its present value leaves the whole alone, and calls no listener")
    func getPut() {
        let person = MutableNode(Person())
        let age = person.focus(\.age)
        let heard = Recorder<Person>()
        let lifetime = Lifetime()
        person.listened(by: lifetime).with { heard.record($0) }
        _ = heard.take()
        age.value = age.value
        #expect(heard.take() == [])
        #expect(person.value == Person())
    }

    @Test("put-get: a part that was set is in the whole, and the other way round")
    func putGet() {
        let person = MutableNode(Person())
        let age = person.focus(\.age)
        #expect(age.value == 36)
        age.value = 37
        #expect(person.value?.age == 37)
        person.value?.age = 38
        #expect(age.value == 38)
    }

    @Test("put-put: the second set of a part is as if the first had not been")
    func putPut() {
        let (once, twice) = (MutableNode(Person()), MutableNode(Person()))
        let (first, second) = (once.focus(\.age), twice.focus(\.age))
        first.value = 2
        second.value = 1
        second.value = 2
        #expect(once.value == twice.value)
    }

    @Test("two parts that are set in one batch are both kept, and a combination of both fires once")
    func batches() {
        let person = MutableNode(Person())
        let (name, age) = (person.focus(\.name), person.focus(\.age))
        let heard = Recorder<String>()
        let lifetime = Lifetime()
        combine(name, age, person).listened(by: lifetime).with { name, age, person in
            heard.record("\(name) \(age) \(person.name) \(person.age)")
        }
        _ = heard.take()
        batch {
            name.value = "Grace"
            age.value = 85
        }
        #expect(heard.take() == ["Grace 85 Grace 85"])
    }

    @Test("a part is heard only when it has changed")
    func heardWhenChanged() {
        let person = MutableNode(Person())
        let (name, age) = (person.focus(\.name), person.focus(\.age))
        let heard = Recorder<String>()
        let lifetime = Lifetime()
        name.listened(by: lifetime).with { heard.record($0) }
        age.listened(by: lifetime).with { heard.record("\($0)") }
        _ = heard.take()
        age.value = 1
        person.value = Person(name: "Grace", age: 1)
        person.value = person.value
        #expect(heard.take() == ["1", "Grace"])
    }

    @Test("two nodes for the same part, and one for a part of a part, follow each other")
    func nested() {
        let person = MutableNode(Person())
        let address = person.focus(\.address)
        let (first, second) = (address.focus(\.number), person.focus(\.address.number))
        first.value = 13
        #expect(second.value == 13)
        second.value = 14
        #expect(first.value == 14)
        #expect(address.value?.number == 14)
        #expect(person.value?.address.number == 14)
    }

    @Test("if the key path's setter stores another value, the part takes that over")
    func normalised() {
        let person = MutableNode(Person())
        let percent = person.focus(\.percent)
        let heard = Recorder<Int>()
        let lifetime = Lifetime()
        percent.listened(by: lifetime).with { heard.record($0) }
        percent.value = 200
        #expect(person.value?.percent == 100)
        #expect(percent.value == 100)
        #expect(heard.take() == [0, 200, 100])
    }

    @Test(
        "nothing is stored once the edge is cut: not even by the set in which the setter cuts it",
        arguments: [false, true])
    func cutBySetter(isBusy: Bool) {
        let lifetime = Lifetime()
        let whole = MutableNode(Cutting())
        let part = whole.focus(\.part)
        whole.current.scissors.edge.withLock { $0 = part.downstreamTransforms.first }
        whole.listened(by: lifetime).with { if isBusy, $0.number == 1 { part.value = 5 } }
        if isBusy { whole.update { $0.number = 1 } } else { part.value = 5 }
        #expect(whole.current.scissors.edge.withLock { $0 } == nil)
        #expect(whole.current.number == (isBusy ? 1 : 0))
    }

    @Test("of an empty whole there is no part, until it is set")
    func empty() {
        let person = MutableNode<Person>()
        let age = person.focus(\.age)
        #expect(age.isEmpty)
        age.value = 1
        #expect(person.isEmpty)
        person.value = Person()
        #expect(age.value == 36)
    }

    @Test("update of a part is one step, and the context travels")
    func updates() {
        let person = MutableNode(Person())
        let age = person.focus(\.age)
        let heard = Recorder<String>()
        let lifetime = Lifetime()
        person.listened(by: lifetime).withContext { heard.record("\($0.age) \($1 ?? "-")") }
        age.update(context: "birthday") { $0 += 1 }
        #expect(heard.take() == ["36 -", "37 birthday"])
    }

    @Test("two parts that two threads set are both kept, and wholes and parts that several threads set end alike")
    func threads() {
        for _ in 0..<Scale.scaled(300) {
            let person = MutableNode(Person())
            let (age, number) = (person.focus(\.age), person.focus(\.address.number))
            concurrently(2) { thread in
                for step in 1...50 { (thread == 0 ? age : number).value = step }
            }
            #expect(person.value?.age == 50)
            #expect(person.value?.address.number == 50)
            concurrently(3) { thread in
                for step in 1...20 {
                    switch thread {
                    case 0: age.value = 1_000 + step
                    case 1: person.value = Person(age: 2_000 + step)
                    default: person.update { $0.age = 3_000 + step }
                    }
                }
            }
            #expect(person.value?.age == age.value)
            #expect(person.value?.address.number == number.value)
        }
    }

    @Test("a listener of a part that sets the whole, or another focus of the part, is not undone")
    func listenerSets() {
        let person = MutableNode(Person())
        let (age, same) = (person.focus(\.age), person.focus(\.age))
        let listener = Lifetime()
        let heard = Recorder<Int>()
        age.listened(by: listener).with {
            heard.record($0)
            if $0 == 200 { person.update { $0.age = 100 } }
            if $0 == -1 { same.value = 0 }
            if $0 == 50 { person.update { $0.name = "Grace" } }
        }
        age.value = 200
        #expect([age.value, same.value, person.value?.age] == [100, 100, 100])
        age.value = -1
        #expect([age.value, same.value, person.value?.age] == [0, 0, 0])
        age.value = 50
        #expect([age.value, same.value, person.value?.age] == [50, 50, 50])
        #expect(person.value?.name == "Grace")
        #expect(heard.events == [36, 200, 100, -1, 0, 50])
    }

    @Test("three threads set a whole, its part and a node synced with it: all three end with one thread's last value")
    func lastSet() {
        for _ in 0..<Scale.scaled(300) {
            let person = MutableNode(Person())
            let age = person.focus(\.age), field = MutableNode(0)
            let sync = field.sync(with: age)
            concurrently(3) { thread in
                for step in 1...20 {
                    switch thread {
                    case 0: age.value = 1_000 + step
                    case 1: person.value = Person(age: 2_000 + step)
                    default: field.value = 3_000 + step
                    }
                }
            }
            #expect([1_020, 2_020, 3_020].contains(field.value))
            #expect(age.value == field.value)
            #expect(person.value?.age == field.value)
            sync.cancel()
        }
    }

    @Test("a listener of the whole that sets it again, where the part's setter stores another value, is heard in order")
    func newerWholes() {
        let person = MutableNode(Person())
        let percent = person.focus(\.percent)
        let heard = Recorder<Int>()
        let listener = Lifetime()
        percent.listened(by: listener).with { heard.record($0) }
        person.listened(by: listener).with {
            guard $0.percent == 100 else { return }
            person.update { $0.percent = 50 }
            person.update { $0.percent = 60 }
        }
        percent.value = 200
        #expect(heard.events == [0, 200, 50, 60])
        #expect(person.value?.percent == 60)
    }

    @Test("a part takes over its value of the whole after the whole was emptied while the setter's value was under way")
    func emptiedMeanwhile() {
        let person = MutableNode(Person())
        let percent = person.focus(\.percent)
        let listener = Lifetime()
        person.listened(by: listener).with { [unowned person] in if $0.percent == 100 { person.clean() } }
        percent.value = 200
        listener.cancel()
        var other = Person()
        other.percent = 100
        person.value = other
        #expect(percent.value == 100)
    }

    @Test("after a pulse that comes while the part is busy, the next set of the whole brings part and whole together")
    func pulseMeanwhile() {
        let person = MutableNode(Person()), taps = MutableNode<Person>()
        let age = person.focus(\.age)
        let listener = Lifetime()
        person.link(to: taps)
        age.listened(by: listener).with { if $0 == 7 { taps.pulse(Person(age: 9)) } }
        age.value = 7
        person.update { $0.name = "Grace" }
        #expect(age.value == person.value?.age)
    }

    @Test("after a pulse that came by a link, the next set of the whole brings part and whole together")
    func pulseByLink() {
        let person = MutableNode(Person())
        let age = person.focus(\.age), field = MutableNode(36)
        field.sync(with: age).cancelled(by: Lifetime())
        let link = age.link(to: field)
        field.pulse(9)
        person.update { $0.name = "Grace" }
        #expect(age.value == person.value?.age)
        link.cancel()
        let other = MutableNode<Person>()
        person.link(to: other)
        other.pulse(Person(age: 7))
        person.update { $0.name = "Ada" }
        #expect(age.value == person.value?.age)
    }

    @Test("a part that does not equal itself is set, and that is all")
    func notANumber() {
        struct Point: Sendable { var x = 1.0 }
        let point = MutableNode(Point())
        let x = point.focus(\.x)
        x.value = .nan
        #expect(point.value?.x.isNaN == true)
        x.value = 2
        point.value = Point(x: .nan)
        #expect(x.value?.isNaN == true)
        point.value = Point(x: 3)
        #expect(x.value == 3)
    }

    @Test("the value that the setter makes of a part has the context of the set")
    func contextOfWhatIsMade() {
        let person = MutableNode(Person())
        let percent = person.focus(\.percent)
        let heard = Recorder<String>()
        let listener = Lifetime()
        percent.setValue(1, context: "before")
        percent.listened(by: listener).withContext { heard.record("\($0) \($1 ?? "-")") }
        percent.setValue(200, context: "typed")
        #expect(heard.events.dropFirst() == ["200 typed", "100 typed"])
    }

    @Test("a part that was set while its whole was empty takes over the same value that the whole had before")
    func partOfEmptyWholeIsSet() {
        let person = MutableNode(Person())
        let age = person.focus(\.age)
        person.clean()
        age.value = 37
        person.value = Person()
        #expect(age.value == 36)
        age.clean()
        person.value = Person()
        #expect(age.value == 36)
    }

    @Test("a focus is named after the key path's last part, where that is a stored property")
    func names() {
        struct Pair: Sendable { var both = (1, 2), list = [1], choice: Address? = Address() }
        let person = MutableNode(Person()), pair = MutableNode(Pair())
        #expect(person.focus(\.name).name == "name")
        #expect(person.focus(\.address.street).name == "street")
        #expect((person as Node).focus(\.address).name == "address")
        #expect(person.focus(\.percent).name == nil)
        #expect(person.focus(\.name.count).name == nil)
        #expect(person.focus(\.self).name == nil)
        #expect(pair.focus(\.both.0).name == "0")
        #expect(pair.focus(\.list[0]).name == nil)
        #expect(pair.focus(\.choice?.number).name == "number")
        #expect(pair.focus(\.choice!.number).name == "number")
    }

    @Test("a focus on a node that cannot be set is heard only when the part differs, and follows another whole")
    func readOnly() throws {
        let person = MutableNode(Person()), other = MutableNode(Person(name: "Grace"))
        let shown: Node<Person> = person
        let name: Node<String> = shown.focus(\.name)
        let heard = Recorder<String>(), lifetime = Lifetime()
        name.listened(by: lifetime).with { heard.record($0) }
        person.value?.age = 1
        person.value?.name = "Lin"
        person.value?.name = "Lin"
        let edge = try #require(name.upstreamTransforms.first as? Transform<Person, String>)
        edge.from = other
        other.value?.age = 2
        #expect(heard.events == ["Ada", "Lin", "Grace"])
        #expect(name.upstreamTransforms.map(\.name) == ["Focus"])
        #expect(!name.isMutable)
        #expect(person.focus(\.name.count).value == 3)
    }

    @Test("a part of a redacted node is redacted, also where it cannot be set")
    func redactedPart() {
        let person = MutableNode(Person()).redacted()
        #expect((person as Node).focus(\.name).valueDescription == "redacted")
    }
}
