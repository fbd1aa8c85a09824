import { runCli } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// `parley transcript SESSION | head` closes the pipe; this is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const code = await runCli(process.argv.slice(2), processTerminal());
// Exits after all output is written. A failed start of the embedded database leaves a timer, which would keep the
// process alive.
process.stdout.write('', () => process.exit(code));
