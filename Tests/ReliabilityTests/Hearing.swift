import ReactCore
import TestSupport

extension Node {
    /// Records what `listener` hears from this node, beginning with the present value.
    func heard(by listener: some AnyObject) -> Recorder<Value> {
        let recorder = Recorder<Value>()
        listened(by: listener).with { recorder.record($0) }
        return recorder
    }
}
