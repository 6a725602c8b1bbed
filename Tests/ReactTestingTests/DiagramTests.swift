import Testing

@testable import ReactTesting

@Suite("Reading and writing diagrams")
struct DiagramTests {
    @Test("every character is a tick: a value, nothing, or an emptied node")
    func cells() throws {
        let diagram = try TimelineDiagram("source a-1~")
        #expect(diagram.rows.map(\.name) == ["source"])
        #expect(diagram.rows[0].cells == [[.value("a")], [], [.value("1")], [.emptied]])
    }

    @Test("a group is one tick, and its events keep their order")
    func group() throws {
        let diagram = try TimelineDiagram("source -(ba~)-")
        #expect(diagram.rows[0].cells == [[], [.value("b"), .value("a"), .emptied], []])
    }

    @Test("a text in quotes is one value, of any length, and may stand in a group")
    func text() throws {
        let diagram = try TimelineDiagram("sum 'ab'(c'')'-'")
        #expect(diagram.rows[0].cells == [[.value("ab")], [.value("c"), .value("")], [.value("-")]])
        for text in ["", "'", "''", "'a", "a'", "'-'"] {
            let written = Event.value(text).description
            #expect(try TimelineDiagram("row \(written)").rows[0].cells == [[.value(text)]], "\(written)")
        }
    }

    @Test("lines may end as on Windows") func windowsLines() throws {
        #expect(try TimelineDiagram("a -b\r\nc d-").rows.map(\.name) == ["a", "c"])
    }

    @Test("spaces align and mean nothing, and blank lines are passed over")
    func spaces() throws {
        let diagram = try TimelineDiagram(
            """

              source  a-(bc)-
              copy    a- -  -

            """
        )
        #expect(diagram.rows.map(\.cells.count) == [4, 4])
        #expect(diagram.rows[1].cells == [[.value("a")], [], [], []])
    }

    @Test("rows are written aligned under a ruler, with cells of any width")
    func aligned() throws {
        let diagram = try TimelineDiagram(
            """
            source a-(bc)-~
            long-name 'x y'----
            """
        )
        #expect(
            diagram.aligned == """
                  tick       0    12   34
                  source     a    -(bc)-~
                  long-name  'x y'--   --
                """
        )
    }

    @Test("the ruler starts again after ten ticks")
    func ruler() throws {
        #expect(
            try TimelineDiagram("a -----------b").aligned == """
                  tick  012345678901
                  a     -----------b
                """
        )
    }

    @Test(
        "unreadable input is reported with line, column and cause",
        arguments: [
            ("", "The diagram has no rows."),
            ("\n  \n", "The diagram has no rows."),
            ("source", "Line 1, column 7 of the diagram: source has no ticks."),
            ("source a-(bc", "Line 1, column 10 of the diagram: the group that begins here is not closed."),
            ("source a-)", "Line 1, column 10 of the diagram: ‘)’ closes no group."),
            ("source (a-b)", "Line 1, column 10 of the diagram: ‘-’ cannot stand in a group."),
            ("source (a(b))", "Line 1, column 10 of the diagram: ‘(’ cannot stand in a group."),
            ("source (a b)", "Line 1, column 10 of the diagram: a space cannot stand in a group."),
            ("source -(a)", "Line 1, column 9 of the diagram: a group has two events or more."),
            ("source -()", "Line 1, column 9 of the diagram: a group has two events or more."),
            ("source -'ab", "Line 1, column 9 of the diagram: the text that begins here is not closed."),
            ("a -b-\na ---", "Line 2, column 6 of the diagram: there is a row named a already."),
            ("a -b-\n\nb ----", "Line 3, column 7 of the diagram: b has 4 ticks, and the rows above it have 3."),
        ]
    )
    func unreadable(text: String, message: String) {
        #expect(throws: TimelineError(message)) { try TimelineDiagram(text) }
    }
}
