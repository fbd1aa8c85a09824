import { runCli } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// If the reader of a pipe ends early, as in `parley transcript SESSION | head`, the exit code is 0.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const code = await runCli(process.argv.slice(2), processTerminal());
// Exits when all output is written. After a failed start, a timer of the embedded database would keep the process
// alive.
process.stdout.write('', () => process.exit(code));
