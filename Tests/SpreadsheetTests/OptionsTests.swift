import Testing

@testable import spreadsheet

@Suite("The command line")
struct OptionsTests {
    @Test("options stand anywhere, and edits keep their order")
    func options() throws {
        let options = try Options(["--set", "A1=1", "--csv", "file.csv", "--set", "B1==A1", "--watch"])
        #expect(options.file == "file.csv")
        #expect(options.edits == ["A1=1", "B1==A1"])
        #expect(options.csv && options.watch && !options.help)
    }

    @Test("questions keep their order, and the page has a file")
    func questions() throws {
        let options = try Options(["x", "--why", "L17", "--record", "page.html", "--why-not", "b2"])
        #expect(options.questions.map { "\($0.address) \($0.isNegative)" } == ["L17 false", "B2 true"])
        #expect(options.recording == "page.html")
    }

    @Test("after -- everything is a file")
    func terminator() throws {
        #expect(try Options(["--", "--csv"]).file == "--csv")
    }

    @Test("help needs no file", arguments: ["--help", "-h"])
    func help(option: String) throws {
        #expect(try Options([option]).help)
    }

    @Test(
        "input that makes no sense is refused in one line",
        arguments: [
            ([], "which file? --help says how to ask"),
            (["--frob", "x"], "\"--frob\": there is no such option; --help lists them"),
            (["-x\n"], "\"-x\\n\": there is no such option; --help lists them"),
            (["x", "--set"], "--set needs CELL=VALUE after it"),
            (["x", "--dot"], "--dot needs FILE after it, or - for standard output"),
            (["x", "--mermaid"], "--mermaid needs FILE after it, or - for standard output"),
            (
                ["x", "--dot", "-", "--mermaid", "-"],
                "standard output has room for one of --csv, --dot - and --mermaid -"
            ),
            (["x", "--dot", "-", "--csv"], "standard output has room for one of --csv, --dot - and --mermaid -"),
            (["x", "--record"], "--record needs FILE after it"),
            (["x", "--record", "-"], "--record needs FILE after it"),
            (["x", "--record", "a", "--record", "b"], "--record: one page at a time, and \"b\" is the second"),
            (["x", "--record", "./x"], "\"./x\" is the sheet that is read; name another file to write to"),
            (["x", "--dot", "y/../x"], "\"y/../x\" is the sheet that is read; name another file to write to"),
            (["x", "--dot", "y", "--mermaid", "./y"], "\"./y\" is to be written twice; name two files"),
            (["x", "--dot", "y", "--record", "y"], "\"y\" is to be written twice; name two files"),
            (["x", "--why"], "--why needs CELL after it"),
            (["x", "--why-not"], "--why-not needs CELL after it"),
            (["x", "--why", "L"], "--why: \"L\" is no cell; cells are A1 to \(CellAddress.last)"),
            (["x", "--why-not", ""], "--why-not: \"\" is no cell; cells are A1 to \(CellAddress.last)"),
            (["x", "y"], "one file at a time, and \"y\" is the second"),
        ]
    )
    func refusals(arguments: [String], message: String) {
        #expect(throws: InputError(message: message)) { try Options(arguments) }
    }
}
