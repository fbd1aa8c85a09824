import { randomBytes } from 'node:crypto';
import { readAs } from '../../text/read-as.ts';
import { shellWord } from '../../text/visible.ts';
import type { Terminal } from '../terminal.ts';
import {
  EditFault,
  editSettings,
  listOf,
  type Members,
  parseSettings,
  recordOf,
  type SettingsFormat,
} from './edit-settings.ts';

/** The programs in which an agent runs, as `parley connect --for` and `parley run --for` name them. */
export const CLIENT_NAMES = ['claude-code', 'codex', 'cursor', 'vscode', 'curl'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** The settings file of a client. The token is not written to this file. */
export interface ClientSettings {
  /** Path of the file, relative to the agent's repository. */
  readonly file: string;
  readonly format: SettingsFormat;
  /** Name of the member that contains all MCP servers. */
  readonly list: 'mcpServers' | 'servers' | 'mcp_servers';
  /**
   * The settings of the server `parley`. They replace those that the file already has: the repository may have planted a
   * header, a program or an environment there, which the client would use with the token.
   */
  readonly entry: (mcpUrl: string) => Members;
  /** Makes further changes to the file. Gets the members of the file and the new settings of the server. */
  readonly beside?: (file: Members, entry: Members) => { file: Members; entry: Members };
}

/** A program in which an agent runs, such as Claude Code, and the settings that connect this program to Parley. */
interface Client {
  readonly title: string;
  readonly settings?: ClientSettings;
  /**
   * The settings file for the hooks of the client, relative to the agent's repository. The hooks in this file are for
   * the current user only. `shared` is the file with hooks for everybody who uses the repository.
   */
  readonly hooks?: { readonly file: string; readonly shared: string };
  /** A shell command that adds the server `parley` for the current user only, so that no settings file is needed. */
  readonly alone?: (mcpUrl: string) => string;
  /** True if the client asks its user for the token. Other clients read `PARLEY_TOKEN`. */
  readonly asks?: true;
  /** The shell command that starts the client, in a terminal in which `PARLEY_TOKEN` is set. */
  readonly start?: string;
  readonly check: string;
  /** What the user must do after getting a new token. */
  readonly renewing: string;
}

/** The text of a settings file that contains the server `parley`. */
export interface MergedSettings {
  readonly text: string;
  /** The previous address of the server `parley`, if it differs from the new address. */
  readonly replaced?: string;
  /** The members of the server `parley` that the file contained and that are removed, if there are any. */
  readonly removed?: readonly string[];
}

/**
 * Adds the server `parley` to the text of a settings file. If there is no text yet, returns the text of a new file.
 *
 * @throws EditFault if the server cannot be added
 */
export function mergeSettings(settings: ClientSettings, text: string | undefined, mcpUrl: string): MergedSettings {
  const { format, list, entry, beside } = settings;
  let replaced: string | undefined;
  let removed: string[] = [];
  const merged = editSettings(format, text, (before) => {
    const servers = recordOf(before[list], list);
    const old = recordOf(servers.parley, `${list}.parley`);
    if ('command' in old) throw new EditFault('already has a server named parley, and that server is a local program');
    if (old.url !== undefined && old.url !== mcpUrl) replaced = String(old.url);
    const own = entry(mcpUrl);
    const changed = beside?.(before, own) ?? { file: before, entry: own };
    removed = namesOf(old).filter((name) => !namesOf(changed.entry).includes(name));
    return { ...changed.file, [list]: { ...servers, parley: changed.entry } };
  });
  return {
    text: merged,
    ...(replaced === undefined ? {} : { replaced }),
    ...(removed.length === 0 ? {} : { removed }),
  };
}

/** The names of the members of an entry, and of its headers. */
const namesOf = ({ headers, ...others }: Members): string[] => [
  ...Object.keys(others),
  ...Object.keys(readAs({ headers }, { headers: 'record' }).headers).map((name) => `headers.${name}`),
];

const TYPED = { type: 'http' } as const;
const bearer = (form: string) => ({ headers: { Authorization: `Bearer ${form}` } });

// biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code expands the variable.
export const claudeCodeEntry = (url: string) => ({ ...TYPED, url, ...bearer('${PARLEY_TOKEN}') });

export const codexEntry = (url: string) => ({
  url,
  bearer_token_env_var: 'PARLEY_TOKEN',
  startup_timeout_sec: 20,
  tool_timeout_sec: 60,
  default_tools_approval_mode: 'approve',
});

const RESTART = 'start the client again from a terminal in which PARLEY_TOKEN is the new token';

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    settings: {
      file: '.mcp.json',
      format: 'json',
      list: 'mcpServers',
      entry: claudeCodeEntry,
    },
    hooks: { file: '.claude/settings.local.json', shared: '.claude/settings.json' },
    alone: (url) => `claude mcp add --transport http parley ${url} --header 'Authorization: Bearer \${PARLEY_TOKEN}'`,
    start: 'claude',
    check: '`claude mcp list` says Connected, and the command /mcp in Claude Code lists the tools',
    renewing: RESTART,
  },
  codex: {
    title: 'Codex CLI',
    settings: {
      file: '.codex/config.toml',
      format: 'toml',
      list: 'mcp_servers',
      entry: codexEntry,
    },
    alone: (url) => `codex mcp add parley --url ${url} --bearer-token-env-var PARLEY_TOKEN`,
    start: 'codex',
    check: '`codex mcp list` shows the server with Bearer token. Codex must also trust the repository',
    renewing: RESTART,
  },
  cursor: {
    title: 'Cursor',
    settings: {
      file: '.cursor/mcp.json',
      format: 'json',
      list: 'mcpServers',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor expands the variable.
      entry: (url) => ({ url, ...bearer('${env:PARLEY_TOKEN}') }),
    },
    start: 'cursor .',
    check: "the server and its tools are listed in Cursor's MCP settings",
    renewing: RESTART,
  },
  vscode: {
    title: 'VS Code',
    settings: {
      file: '.vscode/mcp.json',
      format: 'json',
      list: 'servers',
      entry: (url) => ({ ...TYPED, url }),
      beside: withTokenInput,
    },
    asks: true,
    check: 'the command `MCP: List Servers` shows the server running',
    renewing:
      'change the `id` of the token input in the settings file, so that VS Code asks for the token again (`--write` does this for you)',
  },
  curl: {
    title: 'curl',
    check: 'the answer contains the state of the session',
    renewing: 'set PARLEY_TOKEN to the new token',
  },
};

const INPUT = 'parley-token';

/**
 * Adds a prompt for the token under a new id, because VS Code stores each token under the id of its prompt. For an old
 * id, VS Code would use the old token and would not ask for the new token. The new id is random, so that the repository cannot
 * contain another input with this id, such as a command that gets the token.
 */
function withTokenInput(file: Members, entry: Members): { file: Members; entry: Members } {
  const inputs = listOf(file.inputs, 'inputs').map((input) => recordOf(input, 'an input'));
  const isOurs = ({ id }: Members): boolean => String(id).startsWith(INPUT);
  const place = inputs.findIndex(isOurs);
  const id = place < 0 ? INPUT : `${INPUT}-${randomBytes(6).toString('hex')}`;
  const input = { type: 'promptString', id, description: 'Parley token (prt_…)', password: true };
  const others = inputs.filter((other, index) => index === place || !isOurs(other));
  const changed = place < 0 ? [...others, input] : others.with(place, input);
  return { file: { ...file, inputs: changed }, entry: { ...entry, ...bearer(`\${input:${id}}`) } };
}

/**
 * Time limit of the hook Stop, in seconds: 24 hours, because a token is valid for 24 hours. The default of Claude Code
 * is 10 minutes.
 */
const STOP_SECONDS = 86_400;
const START_SECONDS = 30;

/**
 * The command line of `parley hook`, with the full paths of Node and of this program, because `parley` may not be on
 * the client's PATH. It names the server, because settings of the repository can change `PARLEY_URL`.
 */
export const hookCommandOf = ({ programPath }: Pick<Terminal, 'programPath'>, url: string): string =>
  [...programPath, 'hook', '--url', url].map(shellWord).join(' ');

/**
 * Adds the hooks of `parley` to the settings of Claude Code. Older hooks of `parley` are replaced; all other settings
 * stay.
 *
 * @throws EditFault if the hooks cannot be added
 */
export const mergeHooks = (text: string | undefined, command: string): string =>
  editSettings('json', text, (before) => {
    const hooks = recordOf(before.hooks, 'hooks');
    const Stop = withHook(hooks, 'Stop', { type: 'command', command, timeout: STOP_SECONDS });
    const SessionStart = withHook(hooks, 'SessionStart', { type: 'command', command, timeout: START_SECONDS });
    return { ...before, hooks: { ...hooks, Stop, SessionStart } };
  });

/**
 * In the groups of `event`, replaces the first group that contains only hooks of `parley`, or else adds a group at the end. Every
 * other hook of `parley` is removed: two hooks would wait, one of them perhaps at a server that the repository names.
 */
function withHook(hooks: Members, event: string, hook: Members): readonly unknown[] {
  const list = listOf(hooks[event], `hooks.${event}`);
  const groups = list.map((group) => ({ group, ...splitHooks(recordOf(group, `an item of hooks.${event}`)) }));
  const isOurs = ({ own, others }: (typeof groups)[number]): boolean => own > 0 && others.length === 0;
  const place = groups.findIndex(isOurs);
  const kept = groups.flatMap((one, index) => {
    if (one.own === 0) return [one.group];
    if (isOurs(one)) return index === place ? [{ hooks: [hook] }] : [];
    return [{ ...recordOf(one.group, 'a group'), hooks: one.others }];
  });
  return place < 0 ? [...kept, { hooks: [hook] }] : kept;
}

/** The number of the hooks of `parley` in a group, and its other hooks. */
function splitHooks({ hooks }: Members): { readonly own: number; readonly others: readonly unknown[] } {
  const list = listOf(hooks, 'the hooks of a group');
  const others = list.filter((hook) => !OWN_COMMAND.test(String(recordOf(hook, 'a hook').command)));
  return { own: list.length - others.length, others };
}

/** A command line that contains `parley hook`, with any path, flags and quotes. */
const OWN_COMMAND = /\bparley(?:\.js)?['"]?\s+hook\b/;

/** Whether a file with settings of Claude Code has a hook of `parley`. False for a file that cannot be read. */
export function hasHook(text: string): boolean {
  try {
    const hooks = recordOf(parseSettings('json', text).hooks, 'hooks');
    return Object.values(hooks).some((groups) =>
      listOf(groups, 'a list').some((group) => splitHooks(recordOf(group, 'a group')).own > 0),
    );
  } catch {
    return false;
  }
}
