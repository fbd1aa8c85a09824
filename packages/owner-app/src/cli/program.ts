import type { OwnerListing } from '@parley/core';
import { Command, CommanderError } from 'commander';
import { jsonText } from '../text/visible.ts';
import { type Loader, loaderOf, loaders } from './command-loaders.ts';
import { CliError, CliOutcome, EXIT, EXIT_MEANINGS, type ExitCode } from './exit-codes.ts';
import { commandNamed, commands } from './flags/command-list.ts';
import { refusePlaceholders } from './flags/placeholder.ts';
import { type CommandReference, describeCommand } from './flags/reference.ts';
import { guardedTerminal, processTerminal, type Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

const AFTER_HELP = `
Settings:
  PARLEY_URL        the server to talk to (default http://127.0.0.1:4100)
  PARLEY_OWNER_KEY  your key; without it, the key file in PARLEY_DATA (default .parley)

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${code} ${meaning}`).join('\n')}

Examples:
  parley serve                                   start a server on the embedded database
  parley demo                                    watch two agents plan a real feature
  parley create --file mission.json              open a session of your own
  parley invite SESSION --role agent_a           get a one-time code for an agent
  parley connect --for claude-code               where the agent runs: ask for the code, show its settings
  parley wait                                    where the agent runs: wait until it has something to do
  parley run --for codex --folder ../bank        where the agent runs: drive it without a person
  parley waiting                                 see what waits for you
  parley watch SESSION                           follow a session as it happens`;

/**
 * Runs one command line of `parley`. Resolves with the exit code and never rejects. Errors are printed with
 * `terminal.err`, or as JSON with `terminal.out` if the service sent an error body and `args` contains `--json`.
 */
export async function runCli(args: readonly string[], raw: Terminal): Promise<ExitCode> {
  const terminal = guardedTerminal(raw, args);
  try {
    const program = await programFor(commandNamed(args[0] === 'help' ? args[1] : args[0]), terminal);
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.OK;
  } catch (error) {
    try {
      return report(error, args, terminal);
    } catch (outputFault) {
      return report(outputFault, args, terminal);
    }
  }
}

/**
 * Builds a program in which only the command `wanted` is complete. The other commands have only what the help lists:
 * name, summary and group.
 */
async function programFor(wanted: CommandReference | undefined, terminal: Terminal): Promise<Command> {
  const program = emptyProgram(terminal);
  for (const reference of commands()) {
    if (reference === wanted) await addLoaded(program, terminal, loaderOf(reference.name));
    else program.command(reference.name).description(reference.summary).helpGroup(reference.group);
  }
  for (const command of program.commands)
    for (const one of [command, ...command.commands])
      one.showHelpAfterError(`(parley ${command.name()} --help describes the command)`);
  return program;
}

/**
 * Builds the command line with all commands.
 *
 * @param listings the operations that get a command; default: the operations of core
 */
export async function createProgram(terminal: Terminal, listings?: readonly OwnerListing[]): Promise<Command> {
  const program = emptyProgram(terminal);
  for (const loader of await loaders(listings)) await addLoaded(program, terminal, loader);
  return program;
}

const addLoaded = async (program: Command, terminal: Terminal, load: Loader): Promise<void> =>
  (await load())(program, terminal);

function emptyProgram(terminal: Terminal): Command {
  return new Command('parley')
    .description('Two coding agents plan, verify and release together, with you in charge.')
    .version(VERSION)
    .showHelpAfterError('(parley --help lists the commands)')
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
    .hook('preAction', (_program, command) => refusePlaceholders(command))
    .configureHelp({ subcommandTerm: termOf })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
}

/** A command with its arguments, as the list in the help shows it. */
const termOf = (command: Command): string =>
  commandNamed(command.name())?.usage.replace(/^parley /, '') ?? command.name();

/** Describes every command of `parley`, from the commands themselves. */
export const describeCommands = async (): Promise<CommandReference[]> =>
  (await createProgram(processTerminal())).commands.map(describeCommand);

/** Every exit code of `parley`, with its meaning. */
export const describeExitCodes = (): readonly { readonly code: number; readonly meaning: string }[] =>
  EXIT_MEANINGS.map(([code, meaning]) => ({ code, meaning }));

function report(error: unknown, args: readonly string[], terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE;
  if (error instanceof CliOutcome) return error.exitCode;
  if (!(error instanceof CliError)) {
    terminal.err(`parley: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.REFUSED;
  }
  if (error.body && args.includes('--json')) terminal.out(jsonText(error.body));
  else terminal.err(`parley: ${error.message}`);
  return error.exitCode;
}
