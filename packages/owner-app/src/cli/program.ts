import { type OwnerListing, ownerListings } from '@parley/core';
import { Command, CommanderError } from 'commander';
import { visible } from '../text/visible.ts';
import { addHook } from './agent/hook.ts';
import { addWait } from './agent/wait.ts';
import { addCompletion } from './completion/completion.ts';
import { addConnect } from './connect/connect.ts';
import { addDemo } from './demo/demo.ts';
import { addDoctor } from './doctor/doctor.ts';
import { CliError, CliOutcome, EXIT, EXIT_MEANINGS, type ExitCode } from './exit-codes.ts';
import { type CommandReference, describeCommand } from './flags/reference.ts';
import { addRun } from './run/run.ts';
import { addBackup } from './service/backup.ts';
import { addMigrate } from './service/migrate.ts';
import { addRestore } from './service/restore.ts';
import { addServe } from './service/serve.ts';
import { addModeratorEntitlement } from './sessions/moderator-entitlement.ts';
import { addOperations } from './sessions/operations.ts';
import { addSessionCommands } from './sessions/session-commands.ts';
import { addVerifyLog } from './sessions/verify-log.ts';
import { addWaiting } from './sessions/waiting.ts';
import { addWatch } from './sessions/watch.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

const AFTER_HELP = `
Settings:
  PARLEY_URL        the server to talk to (default http://127.0.0.1:4100)
  PARLEY_OWNER_KEY  the owner key; without it, the key file in PARLEY_DATA (default .parley)

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${code} ${meaning}`).join('\n')}

Examples:
  parley serve                                   start a server on the embedded database
  parley demo                                    watch two agents plan a real feature
  parley create --file mission.json              open a session of your own
  parley invite SESSION --role agent_a           get a one-time code for an agent
  parley connect CODE --for claude-code          where the agent runs: exchange the code, show its settings
  parley wait                                    where the agent runs: hold until it has something to do
  parley run CODE --for codex --folder ../bank   where the agent runs: drive it without a person
  parley waiting                                 see what waits for you
  parley watch SESSION                           follow a session as it happens`;

/** Runs one command line of `parley`. Resolves with its exit code and never rejects. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await createProgram(terminal, ownerListings).parseAsync([...args], { from: 'user' });
    return EXIT.OK;
  } catch (error) {
    return report(error, args, terminal);
  }
}

/** Builds the command line, with a command for each listed operation and the other commands of `parley`. */
export function createProgram(terminal: Terminal, listings: readonly OwnerListing[]): Command {
  const program = new Command('parley')
    .description('Two coding agents plan, verify and release together, with you in charge.')
    .version(VERSION)
    .showHelpAfterError('(parley --help lists the commands)')
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  addServe(program, terminal);
  addDemo(program, terminal, listings);
  addConnect(program, terminal);
  addWait(program, terminal);
  addHook(program, terminal);
  addRun(program, terminal, listings);
  addSessionCommands(program, terminal);
  addWaiting(program, terminal);
  addModeratorEntitlement(program, terminal);
  addOperations(program, terminal, listings);
  addWatch(program, terminal);
  addVerifyLog(program, terminal);
  addDoctor(program, terminal);
  addMigrate(program, terminal);
  addBackup(program, terminal);
  addRestore(program, terminal);
  addCompletion(program, terminal);
  return program;
}

/** Every command of `parley`. The descriptions are made from the commands themselves. */
export const describeCommands = (): CommandReference[] =>
  createProgram(processTerminal(), ownerListings).commands.map(describeCommand);

/** Every exit code of `parley`, with its meaning. */
export const describeExitCodes = (): readonly { readonly code: number; readonly meaning: string }[] =>
  EXIT_MEANINGS.map(([code, meaning]) => ({ code, meaning }));

function report(error: unknown, args: readonly string[], terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE;
  if (error instanceof CliOutcome) return error.exitCode;
  if (!(error instanceof CliError)) {
    terminal.err(`parley: ${visible(error instanceof Error ? error.message : String(error))}`);
    return EXIT.REFUSED;
  }
  if (error.body && args.includes('--json')) terminal.out(JSON.stringify(error.body));
  else terminal.err(`parley: ${visible(error.message)}`);
  return error.exitCode;
}
