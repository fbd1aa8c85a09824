import { type Command, Option } from 'commander';
import { FileFault } from '../../server/access/owner-key.ts';
import type { Json } from '../../text/read-as.ts';
import { serverNow } from '../../text/time.ts';
import { jsonText } from '../../text/visible.ts';
import { agentServer } from '../client/agent-server.ts';
import { CLIENT_NAMES, type ClientName } from '../client-names.ts';
import { CliError, CliOutcome, EXIT } from '../exit-codes.ts';
import { programLine } from '../print/program-line.ts';
import type { Terminal } from '../terminal.ts';
import { CLIENTS, type ClientSettings, mergeSettings } from './clients.ts';
import { EditFault } from './edit-settings.ts';
import { gitStatus } from './git-status.ts';
import { ASKED, givenCode } from './given-code.ts';
import { hasHook, hookCommandOf, mergeHooks } from './hooks.ts';
import {
  type Connection,
  connectionLines,
  type Written,
  type WrittenHooks,
  type WrittenSettings,
} from './instructions.ts';
import { type Redemption, redeemCode } from './redeem.ts';
import { readSettingsFile, writeSettingsFile } from './settings-file.ts';
import { openTokenFolder, settingsFolder, type TokenFolder } from './token-file.ts';

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
    throw new CliError(
      EXIT.USAGE,
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
    if (error instanceof FileFault)
      throw new CliError(EXIT.USAGE, `${error.message} The invitation code was not used.`);
    if (error instanceof Error && 'syscall' in error && 'code' in error)
      throw new CliError(
        EXIT.USAGE,
        `${path} cannot be used (${error.code}). Correct it, or run the command without --write. Nothing was written. The invitation code was not used.`,
      );
    if (!(error instanceof EditFault)) throw error;
    const next =
      'Correct the file, or run the command without --write and add the printed settings by hand. The invitation code was not used.';
    throw new CliError(EXIT.USAGE, `${path} ${error.message}. ${next}`);
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
