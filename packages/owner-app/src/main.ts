import { runCli } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// `parley transcript SESSION | head` closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const code = await runCli(process.argv.slice(2), processTerminal());
// After what was printed. An embedded database that could not be opened leaves a timer behind, which would keep the process.
process.stdout.write('', () => process.exit(code));
