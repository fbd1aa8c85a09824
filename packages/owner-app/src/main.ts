import { runCli } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// `parley transcript SESSION | head` closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), processTerminal());
