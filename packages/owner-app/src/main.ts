import { runCli } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// A command such as `parley transcript SESSION
// head` closes the pipe early. The exit code is then 0.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const code = await runCli(process.argv.slice(2), processTerminal());
// Exits when all output is written. After a failed start, the embedded database leaves a timer that would keep the process
// alive.
process.stdout.write('', () => process.exit(code));
