import ReactGraph

extension String {
    /// The text without the places in source files. A recorder of another test may have had them noted.
    var withoutPlaces: String { replacing(#/ \([A-Za-z]+\.swift:\d+\)/#, with: "") }
    /// The text without what differs from run to run: places, threads and times.
    var steady: String { replacing(#/, on .*?, \d+ (ms|s|min) ago/#, with: "").withoutPlaces }
}
