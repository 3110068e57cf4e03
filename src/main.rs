//! The binary: sets the log up, reads the command line, runs it.

mod logging;

use std::process::ExitCode;

use keima::cli::Cli;

fn main() -> ExitCode {
    let cli = Cli::from_command_line();
    let log = match logging::start(cli.log_file()) {
        Ok(log) => log,
        Err(error) => return fail(&error),
    };
    let result = cli.run();
    log.finish();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has gone: a clean end.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.downcast_ref::<std::io::Error>();
    io_error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn fail(error: &anyhow::Error) -> ExitCode {
    use std::io::Write;
    // Nothing is left to do if stderr is closed.
    let text = logging::harmless(&format!("{error:#}"));
    let _ = writeln!(std::io::stderr(), "keima: {text}");
    ExitCode::FAILURE
}
