import Foundation
import ReactCore

/// Writes the records in the Trace Event Format, which Perfetto and Chromium's own viewer read.
///
/// Each set that begins a transaction has a slice, from its record to the end of the transaction. Inside it, each call
/// of an edge has one, of a fixed length, because most records have no time: see `TraceTimes`. Arrows lead from causes
/// to their effects.
struct Trace {
    let recording: Recording

    private struct Slice: Encodable {
        var name: String
        var cat: String
        var ph: String
        var ts: Double
        var dur: Double?
        var pid = 1
        var tid: UInt64
        var id: Int?
        var bp: String?
        var s: String?
        var args: [String: String]?
    }

    var json: String {
        let log = recording.log
        var arrows = 0
        var slices: [Slice] = log.threads.map { thread in
            Slice(
                name: "thread_name", cat: "", ph: "M", ts: 0, tid: thread.number,
                args: ["name": thread.names.joined(separator: ", then ")])
        }
        let times = TraceTimes(log.events.map(\.moment), ends: log.ends)
        for (index, event) in log.events.enumerated() {
            let thread = event.moment.thread, time = times.begins[index]
            var slice = Slice(
                name: recording.line(index), cat: "\(event.kind)", ph: "X", ts: time, tid: thread,
                args: arguments(index))
            switch event.kind {
            case .set, .cleaned, .resumed, .late, .replayed:
                let outermost = event.causes.isEmpty || event.kind == .late
                slice.dur = outermost ? times.ends[index] - time : 0.05
            case .mark, .waited, .batchBegan, .batchEnded, .linked, .cut:
                slice.ph = "i"
                slice.s = "t"
            default: slice.dur = 0.05
            }
            slices.append(slice)
            for cause in event.causes {
                let from = times.begins[cause], origin = log.events[cause].moment.thread
                // Each arrow has an id of its own, because a viewer has one beginning for each id.
                arrows += 1
                slices.append(Slice(name: "cause", cat: "cause", ph: "s", ts: from, tid: origin, id: arrows))
                slices.append(Slice(name: "cause", cat: "cause", ph: "f", ts: time, tid: thread, id: arrows, bp: "e"))
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let events = (try? encoder.encode(slices)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
        return #"{"displayTimeUnit":"ns","traceEvents":\#(events)}"#
    }
    private func arguments(_ index: Int) -> [String: String] {
        let place = recording.log.events[index].edge.flatMap { recording.names.place(ofEdge: $0) }
        let arguments = [
            "old": recording.old(index)?.caption(limit: 200), "new": recording.new(index)?.caption(limit: 200),
            "reason": recording.reason(index), "place": place,
        ]
        return arguments.compactMapValues(\.self)
    }
}
