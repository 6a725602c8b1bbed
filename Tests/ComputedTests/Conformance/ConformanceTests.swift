import ReactCore
import TestSupport
import Testing

/// The questions that the signal libraries ask of each other, each with a test of its own. Those about effects are in
/// `EffectTests`.
///
/// What does not apply here:
/// - *A computed that nobody reads is not computed* (laziness): here it is, as a node has a value at all times, and edges.
/// - *A computed that is read again without a change is not called*: reading `value` never calls anything here.
/// - *A computed that nobody hears any more is suspended*, and *is called again when somebody does*: the same.
/// - *An error is kept, and thrown to each reader*: a body may throw `NoValue` alone, and then waits; see `errors`, and `failures` for what fails as
///   a value.
/// - *A signal that is set to an equal value tells nobody*: a set is an event here, and arrives; see `equalSource`.
@Suite("Computed: the conformance questions of signal libraries") struct ConformanceTests {
    let calls = Recorder<String>()
}
