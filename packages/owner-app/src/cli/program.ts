import type { OwnerListing } from '@parley/core';
import { kebabCase } from '@parley/core/routes';
import { Command, CommanderError } from 'commander';
import { jsonText } from '../text/visible.ts';
import { CliError, CliOutcome, EXIT, EXIT_MEANINGS, type ExitCode, wrongUsage } from './exit-codes.ts';
import { type CommandReference, commandNamed, commands, describeCommand } from './flags/reference.ts';
import { guardedTerminal, processTerminal, type Terminal, VERSION } from './terminal.ts';

type Add = (program: Command, terminal: Terminal) => void;

/** Imports the module of a command. */
type Loader = () => Promise<Add>;

/**
 * The commands that the help lists before the operations, in the order of the help. A loader imports the module of its
 * command only when the command is needed, so that other commands start faster.
 */
const FIRST: Readonly<Record<string, Loader>> = {
  serve: async () => (await import('./service/serve.ts')).addServe,
  demo: async () => {
    const [{ addDemo }, listings] = await Promise.all([import('./demo/demo.ts'), coreListings()]);
    return (program, terminal) => addDemo(program, terminal, listings);
  },
  connect: async () => (await import('./connect/connect.ts')).addConnect,
  mcp: async () => (await import('./mcp/mcp.ts')).addMcp,
  wait: async () => (await import('./agent/wait.ts')).addWait,
  hook: async () => (await import('./agent/hook.ts')).addHook,
  'commit-changes': async () => (await import('./agent/commit-changes.ts')).addCommitChanges,
  verify: async () => (await import('./verify/verify.ts')).addVerify,
  contract: async () => (await import('./contract/contract.ts')).addContract,
  run: async () => {
    const [{ addRun }, listings] = await Promise.all([import('./run/run.ts'), coreListings()]);
    return (program, terminal) => addRun(program, terminal, listings);
  },
  sessions: async () => (await import('./sessions/sessions.ts')).addSessions,
  group: async () => (await import('./sessions/sessions.ts')).addGroup,
  create: async () => (await import('./sessions/create.ts')).addCreate,
  delete: async () => (await import('./sessions/session-log.ts')).addDelete,
  'export-log': async () => (await import('./sessions/session-log.ts')).addExportLog,
  waiting: async () => (await import('./sessions/waiting.ts')).addWaiting,
  find: async () => (await import('./sessions/find.ts')).addFind,
  audit: async () => (await import('./sessions/audit.ts')).addAudit,
  'moderator-entitlement': async () => (await import('./sessions/moderator-entitlement.ts')).addModeratorEntitlement,
  accounts: async () => (await import('./people/accounts.ts')).addAccounts,
  people: async () => (await import('./people/people.ts')).addPeople,
};

/** The commands that the help lists after the operations. */
const LAST: Readonly<Record<string, Loader>> = {
  followups: async () => (await import('./sessions/followups.ts')).addFollowups,
  show: async () => (await import('./sessions/show.ts')).addShow,
  watch: async () => (await import('./sessions/watch.ts')).addWatch,
  'verify-log': async () => (await import('./sessions/session-log.ts')).addVerifyLog,
  'verify-certificate': async () => (await import('./sessions/verify-certificate.ts')).addVerifyCertificate,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctor,
  migrate: async () => (await import('./service/migrate.ts')).addMigrate,
  backup: async () => (await import('./service/backup.ts')).addBackup,
  retain: async () => (await import('./service/retain.ts')).addRetain,
  restore: async () => (await import('./service/backup.ts')).addRestore,
  completion: async () => (await import('./completion.ts')).addCompletion,
};

const coreListings = async (): Promise<readonly OwnerListing[]> => (await import('@parley/core')).ownerListings;

const operationLoader =
  (listing: OwnerListing): Loader =>
  async () => {
    if (listing.name === 'transcript') {
      const { addTranscript } = await import('./sessions/transcript.ts');
      return (program, terminal) => addTranscript(program, terminal, listing);
    }
    const { addOperation } = await import('./sessions/operations.ts');
    return (program, terminal) => addOperation(program, terminal, listing);
  };

/** Returns the loader of a command. Commands that are neither in `FIRST` nor in `LAST` are operations of core. */
const loaderOf =
  (name: string): Loader =>
  async () => {
    const own = FIRST[name] ?? LAST[name];
    if (own) return own();
    const listing = (await coreListings()).find((candidate) => kebabCase(candidate.name) === name);
    if (!listing) throw new Error(`No module has the command ${name}.`);
    return operationLoader(listing)();
  };

/**
 * The loaders of all commands, in the order of the help.
 *
 * @param listings the operations; default: the operations of core
 */
async function loaders(listings?: readonly OwnerListing[]): Promise<Loader[]> {
  const given = listings ?? (await coreListings());
  const isTranscript = ({ name }: OwnerListing): boolean => name === 'transcript';
  const operations = [...given.filter((one) => !isTranscript(one)), ...given.filter(isTranscript)];
  return [...Object.values(FIRST), ...operations.map(operationLoader), ...Object.values(LAST)];
}

/**
 * Matches a placeholder, such as `...`, `<your answer>` or `req_1: ...`. Printed command lines and examples contain a
 * placeholder where the owner must write a text.
 */
const PLACEHOLDER = /^(?:[\w-]+:\s*)?(?:\.{3,}|…)$|^<[^<>]+>$/;

/**
 * Refuses a command line with a placeholder as the value of an option.
 *
 * @throws CliError with the exit code USAGE
 */
function refusePlaceholders(command: Command): void {
  const option = command.options.find((candidate) => hasPlaceholder(command.getOptionValue(candidate.attributeName())));
  if (option)
    throw wrongUsage(
      `The value of ${option.long} is a placeholder. Write your own value in its place. Nothing was changed.`,
    );
}

const hasPlaceholder = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasPlaceholder)
    : typeof value === 'string' && PLACEHOLDER.test(value.replaceAll(/["'“”]/g, '').trim());

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
