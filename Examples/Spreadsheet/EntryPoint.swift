import Foundation
import Streams

@main
enum EntryPoint {
    static func main() {
        // A closed output pipe is reported like any other output error.
        signal(SIGPIPE, SIG_IGN)
        guard FileHandle.standardOutput.isOpen else { Output.fail(String(cString: strerror(EBADF))) }
        let input = LineReader(FileHandle.standardInput)
        let output = Output(FileHandle.standardOutput)
        let errors = Output(FileHandle.standardError)
        let progress = ProgressLine(FileHandle.standardError)
        func flush() {
            output.flush()
            errors.flush()
        }
        let console = Command.Console(
            readLine: {
                flush()
                return input.next()
            },
            write: output.write,
            writeError: errors.write,
            inputFailure: { input.failure },
            showProgress: { text in if let text { progress.show(text) } else { progress.clear() } },
            didFinish: { status in
                flush()
                exit(status)
            }
        )
        let status = Command(console: console).run(Array(CommandLine.arguments.dropFirst()))
        flush()
        exit(status)
    }
}
