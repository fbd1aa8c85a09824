import { runCli } from './cli/program.ts';
import { outputFault, processTerminal } from './cli/terminal.ts';

const args = process.argv.slice(2);
const terminal = processTerminal();
// If the reader of a pipe ends early, as in `parley transcript SESSION | head`, the exit code is 0.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const { exitCode, message } = outputFault(error, args);
  terminal.err(`parley: ${message}`);
  process.exit(exitCode);
});
// An error that cannot be written is told by the exit code alone.
process.stderr.on('error', () => undefined);

const code = await runCli(args, terminal);
/** Milliseconds for the listeners of `beforeExit`, such as an exporter of spans. */
const LAST_WORK_MS = 5_000;

// Exits when all output is written. After a failed start, a timer of the embedded database would keep the process
// alive. `process.exit` does not emit `beforeExit`, so a process with listeners ends when their work has ended.
process.stdout.write('', () => {
  if (process.listenerCount('beforeExit') === 0) process.exit(code);
  process.exitCode = code;
  process.emit('beforeExit', code);
  setTimeout(() => process.exit(code), LAST_WORK_MS).unref();
});
