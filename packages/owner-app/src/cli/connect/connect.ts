import { type Command, Option } from 'commander';
import { FileFault } from '../../server/access/owner-key.ts';
import { tellAgentLines } from '../../text/joining.ts';
import type { Json } from '../../text/read-as.ts';
import { serverNow } from '../../text/time.ts';
import { jsonText, shellWord, visible } from '../../text/visible.ts';
import { agentServer } from '../client/request.ts';
import { CliOutcome, EXIT, wrongUsage } from '../exit-codes.ts';
import { readSettingsFile, writeSettingsFile } from '../files.ts';
import { type GitStatus, gitStatus } from '../git.ts';
import { programLine, type Terminal } from '../terminal.ts';
import {
  CLIENT_NAMES,
  CLIENTS,
  type ClientName,
  type ClientSettings,
  hasHook,
  hookCommandOf,
  type MergedSettings,
  mergeHooks,
  mergeSettings,
} from './clients.ts';
import { EditFault } from './edit-settings.ts';
import { ASKED, givenCode } from './given-code.ts';
import { openTokenFolder, type Redemption, redeemCode, settingsFolder, type TokenFolder } from './redeem.ts';

export interface Written {
  readonly path: string;
  readonly git: GitStatus;
}

export type WrittenSettings = Written & Omit<MergedSettings, 'text'>;

export interface WrittenHooks extends Written {
  /** The path of another settings file that has a hook of `parley` too. The client would run both. */
  readonly second?: string;
}

/** The results of `parley connect`, which decide what is printed for the user. */
export interface Connection {
  readonly client: ClientName;
  readonly redemption: Redemption;
  readonly settings?: WrittenSettings | undefined;
  readonly tokenFile?: Written | undefined;
  readonly hooks?: WrittenHooks | undefined;
  /** The command line of the hooks. Absent without `--hooks`. */
  readonly hookCommand?: string;
  /** A command line that runs this program from every folder. */
  readonly program: string;
}

/**
 * The lines that are printed after a code was redeemed: the written files, the next steps, and when the token expires.
 */
export function connectionLines(standing: Connection, now: number): string[] {
  const { redemption } = standing;
  return [
    `Connected as ${redemption.role} of session ${redemption.sessionId}.`,
    ...byServerLines(redemption),
    ...noteLines(standing),
    '',
    ...tokenLines(standing),
    ...settingsLines(standing),
    ...hookLines(standing),
    ...useLines(standing),
    '',
    ...endLines(standing, now),
  ];
}

const byServerLines = ({ byServer }: Redemption): string[] =>
  byServer === undefined
    ? []
    : [
        `The server says that agents reach it at ${byServer}. It is not used, because you gave another address. If you trust it, next time give: --url ${byServer}`,
      ];

function noteLines({ settings, tokenFile, hooks }: Connection): string[] {
  return [
    ...(tokenFile
      ? [`Wrote ${tokenFile.path}: the token, readable by you only (mode 600).`, ...tokenWarning(tokenFile)]
      : []),
    ...(settings
      ? [
          `Wrote ${settings.path}: it now contains the server parley, without the token.`,
          ...(settings.replaced === undefined
            ? []
            : [
                `Replaced another address of the server parley, which the file contained: ${visible(JSON.stringify(settings.replaced))}.`,
              ]),
          ...(settings.removed === undefined
            ? []
            : [
                `Removed from the server parley in the file: ${visible(settings.removed.map((name) => JSON.stringify(name)).join(', '))}.`,
              ]),
          ...settingsWarning(settings),
        ]
      : []),
    ...(hooks ? [`Wrote ${hooks.path}: the hooks Stop and SessionStart.`, ...settingsWarning(hooks)] : []),
    ...(hooks?.second === undefined
      ? []
      : [`Warning: ${visible(hooks.second)} has a hook of parley too. Remove it, so that only the hook above runs.`]),
  ];
}

const tokenWarning = ({ git, path }: Written): string[] =>
  git === 'unknown'
    ? [unknownGit(path)]
    : git === 'tracked' || git === 'untracked'
      ? [
          `Warning: the token file is in a git repository that ${git === 'tracked' ? 'tracks' : 'does not ignore'} it. Never commit the file.`,
        ]
      : [];

const unknownGit = (path: string): string =>
  `Warning: git did not answer within 5 seconds. Check that git does not track ${path} before you commit.`;

function settingsWarning({ git, path }: Written): string[] {
  if (git === 'tracked')
    return [
      `Warning: git tracks ${path}. Commit the change only if everybody who uses the repository should have these settings.`,
    ];
  if (git === 'unknown') return [unknownGit(path)];
  if (git !== 'untracked') return [];
  return [
    `Warning: git does not ignore ${path}. Add this path to .git/info/exclude, unless everybody who uses the repository should have these settings.`,
  ];
}

/**
 * The lines that explain how the agent gets the token. They contain the token only if the token was not written to a
 * file.
 */
function tokenLines({ client, redemption, tokenFile }: Connection): string[] {
  const { asks } = CLIENTS[client];
  if (tokenFile && asks)
    return [`VS Code asks for the token. The token is in ${tokenFile.path}, after "PARLEY_TOKEN=".`];
  if (tokenFile)
    return ['Run this in the terminal in which you start the agent:', '', `  . ${shellWord(tokenFile.path)}`];
  const place = asks
    ? ['VS Code asks for the token at the first start.']
    : [
        'Run this in the terminal in which you start the agent, then paste the token (the terminal does not show it) and press Enter:',
        '',
        '  read -rs PARLEY_TOKEN && export PARLEY_TOKEN',
      ];
  return ['This is the token. It is a password. It is shown only now:', '', `  ${redemption.token}`, '', ...place];
}

function settingsLines({ client, redemption: { mcpUrl }, settings }: Connection): string[] {
  const { settings: place, alone } = CLIENTS[client];
  if (settings || !place) return [];
  return [
    '',
    `Add this to ${place.file} of the agent's repository (with --write, this command adds it and keeps the rest of the file):`,
    '',
    ...mergeSettings(place, undefined, mcpUrl)
      .text.trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(alone
      ? ['', 'Or add the server for your user only, without the file:', '', `  ${alone(shellWord(mcpUrl))}`]
      : []),
  ];
}

/**
 * The lines about the hooks. The hooks are shown even if they were written to the file, because hooks make the client
 * run a program.
 */
function hookLines({ client, hookCommand, hooks }: Connection): string[] {
  const { hooks: place } = CLIENTS[client];
  if (hookCommand === undefined || !place) return [];
  return [
    '',
    hooks ? `${place.file} contains these hooks:` : `Add these hooks to ${place.file} of the agent's repository:`,
    '',
    ...mergeHooks(undefined, hookCommand)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'When the agent stops, the hook Stop waits until the agent has a next step, and then lets the agent continue. No model runs meanwhile. The hook no longer waits when the session is ENDED.',
  ];
}

function useLines({ client, redemption, program }: Connection): string[] {
  const { start, check } = CLIENTS[client];
  if (client === 'curl')
    return ['', 'Then read the state of the session:', '', ...curlLines(redemption).map((line) => `  ${line}`)];
  return [
    ...(start ? ['', 'Start the client there:', '', `  ${start}`] : []),
    '',
    `The connection works if ${check}.`,
    ...tellAgentLines(program),
  ];
}

function curlLines({ mcpUrl, sessionUrl, role }: Redemption): string[] {
  const curl = `printf 'Authorization: Bearer %s' "$PARLEY_TOKEN" | curl -s -H @-`;
  return [
    `${curl} ${shellWord(mcpUrl)} \\`,
    `     -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_session_state"}}'`,
    `${curl} ${shellWord(`${sessionUrl}/${role === 'moderator' ? 'events' : 'state'}`)}`,
  ];
}

function endLines({ client, redemption: { sessionId, role, expiresAt } }: Connection, now: number): string[] {
  const hours = Math.round((Date.parse(expiresAt) - now) / 3_600_000);
  return [
    `The token ends at ${expiresAt}, ${hours} hours from now, and cannot be extended. To renew it, the owner runs`,
    `  parley invite ${sessionId} --role ${role}`,
    `and you connect again with the new code. Then ${CLIENTS[client].renewing}. Nothing of the session is lost.`,
  ];
}

interface ConnectFlags {
  readonly for: ClientName;
  readonly url?: string;
  readonly write?: boolean;
  readonly hooks?: boolean;
  readonly folder: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  parley connect --for claude-code --url https://parley.example.com      asks for the code
  parley connect --for codex --write        adds the server to .codex/config.toml here
  parley connect --for claude-code --write --hooks
  parley connect --for curl < code.txt      reads the code from a file`;

/** Adds `parley connect` for the person who runs the agent. The command uses an invitation code and no owner key. */
export function addConnect(program: Command, terminal: Terminal): void {
  program
    .command('connect')
    .description(
      'Exchange an invitation code for a token, and show or write the settings with which a client connects.',
    )
    .argument('[code]', `the one-time code from the owner, pinv_...; ${ASKED}`)
    .addOption(new Option('--for <client>', 'the client that connects').choices(CLIENT_NAMES).makeOptionMandatory())
    .option('--url <url>', 'the server (default: PARLEY_URL, else http://127.0.0.1:4100)')
    .option(
      '--write',
      "write the client's settings file in the repository, and the token to a file that only you can read",
    )
    .option(
      '--hooks',
      'claude-code: also print the hooks that run `parley hook`, which waits while no model runs; with --write, store them',
    )
    .option('--folder <folder>', "the agent's repository", '.')
    .option('--json', 'print the result as JSON; without --write, it contains the token')
    .addHelpText('after', EXAMPLES)
    .action((code: string | undefined, flags: ConnectFlags) => connect(terminal, code, flags));
}

/** Checks the flags, the code and the files before it redeems the code, because a code can be redeemed only once. */
async function connect(terminal: Terminal, given: string | undefined, flags: ConnectFlags): Promise<void> {
  const url = agentServer(flags.url, terminal);
  if (flags.hooks && !CLIENTS[flags.for].hooks)
    throw wrongUsage(
      `--hooks works with --for claude-code only, because parley has no hooks for ${flags.for}. The invitation code was not used.`,
    );
  const code = await givenCode(terminal, given);
  const place = flags.write ? await prepare(terminal, flags) : undefined;
  const request = { code, clientType: flags.for, url };
  const redemption = await redeemCode(request).catch(async (error: unknown) => {
    await place?.giveUp();
    throw error;
  });
  const written = place ? await write(terminal, { redemption, flags, place }) : {};
  const hooks = flags.hooks ? { hookCommand: hookCommandOf(terminal, url) } : {};
  const connection: Connection = {
    client: flags.for,
    redemption,
    program: programLine(terminal),
    ...hooks,
    ...written,
  };
  if (flags.json) terminal.out(jsonText(recordOf(connection)));
  else for (const line of connectionLines(connection, serverNow())) terminal.out(line);
  const isWhole =
    !place ||
    (connection.tokenFile &&
      (connection.settings || !CLIENTS[flags.for].settings) &&
      (connection.hooks || !flags.hooks));
  if (!isWhole) throw new CliOutcome(EXIT.REFUSED);
}

/** Checks the files that `--write` will change, and creates the file for the token. */
async function prepare({ environment }: Terminal, flags: ConnectFlags): Promise<TokenFolder> {
  const { settings, hooks } = CLIENTS[flags.for];
  if (settings) {
    const { path, text } = await refusingFaults(flags.folder, () => readSettingsFile(flags.folder, settings.file));
    await refusingFaults(path, () => mergeSettings(settings, text, 'http://127.0.0.1'));
  }
  if (flags.hooks && hooks) {
    const { path, text } = await refusingFaults(flags.folder, () => readSettingsFile(flags.folder, hooks.file));
    await refusingFaults(path, () => mergeHooks(text, 'parley hook'));
  }
  return refusingFaults(settingsFolder(environment), () => openTokenFolder(environment));
}

/** Runs a check of a file or a folder. If the check fails, throws a usage error with the hint that the code was not used. */
async function refusingFaults<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FileFault) throw wrongUsage(`${error.message} The invitation code was not used.`);
    if (error instanceof Error && 'syscall' in error && 'code' in error)
      throw wrongUsage(
        `${path} cannot be used (${error.code}). Correct it, or run the command without --write. Nothing was written. The invitation code was not used.`,
      );
    if (!(error instanceof EditFault)) throw error;
    const next =
      'Correct the file, or run the command without --write and add the printed settings by hand. The invitation code was not used.';
    throw wrongUsage(`${path} ${error.message}. ${next}`);
  }
}

interface Writing {
  readonly redemption: Redemption;
  readonly flags: ConnectFlags;
  readonly place: TokenFolder;
}

/**
 * Writes the token and the settings. A file that cannot be written is missing in the result; `connectionLines` then
 * prints its content.
 */
async function write(terminal: Terminal, { redemption, flags, place }: Writing): Promise<Partial<Connection>> {
  const { settings } = CLIENTS[flags.for];
  const printError = (error: unknown): undefined => {
    terminal.err(`parley: ${error instanceof Error ? error.message : String(error)}`);
  };
  const tokenFile = await place.keep(redemption).then(writtenAt, printError);
  if (!settings) return { tokenFile };
  const written = await writeSettings(flags.folder, settings, redemption.mcpUrl).catch(printError);
  const hooks = flags.hooks
    ? await writeHooks(flags, hookCommandOf(terminal, redemption.url)).catch(printError)
    : undefined;
  return { tokenFile, settings: written, hooks };
}

async function writeSettings(folder: string, settings: ClientSettings, mcpUrl: string): Promise<WrittenSettings> {
  const before = await readSettingsFile(folder, settings.file);
  const { text, ...replaced } = mergeSettings(settings, before.text, mcpUrl);
  return { ...(await writtenAt(await writeSettingsFile(folder, settings.file, text))), ...replaced };
}

async function writeHooks(flags: ConnectFlags, command: string): Promise<WrittenHooks | undefined> {
  const { hooks } = CLIENTS[flags.for];
  if (!hooks) return undefined;
  const before = await readSettingsFile(flags.folder, hooks.file);
  const written = await writtenAt(await writeSettingsFile(flags.folder, hooks.file, mergeHooks(before.text, command)));
  const shared = await readSettingsFile(flags.folder, hooks.shared).catch(() => undefined);
  return shared?.text !== undefined && hasHook(shared.text) ? { ...written, second: shared.path } : written;
}

const writtenAt = async (path: string): Promise<Written> => ({ path, git: await gitStatus(path) });

function recordOf({ client, redemption, settings, tokenFile, hooks, hookCommand }: Connection): Json {
  const { token, role, sessionId, expiresAt, mcpUrl, sessionUrl, byServer } = redemption;
  const { settings: place } = CLIENTS[client];
  return {
    client,
    role,
    session_id: sessionId,
    expires_at: expiresAt,
    mcp_url: mcpUrl,
    session_url: sessionUrl,
    ...(byServer === undefined ? {} : { address_by_server: byServer }),
    ...(tokenFile ? { token_file: tokenFile.path } : { token }),
    ...(place ? { settings_file: settings?.path ?? place.file, is_written: settings !== undefined } : {}),
    ...(settings?.replaced === undefined ? {} : { replaced_url: settings.replaced }),
    ...(hooks ? { hooks_file: hooks.path } : {}),
    ...(hookCommand !== undefined && !hooks ? { hooks: mergeHooks(undefined, hookCommand) } : {}),
    ...(place && !settings ? { settings: mergeSettings(place, undefined, mcpUrl).text } : {}),
  };
}
