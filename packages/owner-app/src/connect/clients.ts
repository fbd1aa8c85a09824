import { editJson, listOf, recordOf, withServer } from './merge-json.ts';
import { mergeTable } from './merge-toml.ts';

export const CLIENT_NAMES = ['claude-code', 'codex', 'cursor', 'vscode', 'curl'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** What a redeemed invitation gives a client to connect with. */
export interface Connection {
  readonly mcpUrl: string;
  /** Of the session: its routes lie below. */
  readonly sessionUrl: string;
  readonly role: string;
}

/** How one client is told of the server. None of its settings holds the token. */
export interface Client {
  readonly title: string;
  /** In the agent's repository. */
  readonly file?: string;
  /** The file with our server in it; throws MergeFault where it cannot be added. */
  readonly merge?: (text: string | undefined, mcpUrl: string) => string;
  /** The same without the file, for this user alone. */
  readonly alone?: (mcpUrl: string) => string;
  /** Whether it asks for the token itself, and does not read PARLEY_TOKEN. */
  readonly asks?: true;
  /** What starts it in a terminal that has the token. */
  readonly start?: string;
  readonly check: string;
  /** What a new token needs beside the new variable. */
  readonly renewing: string;
}

const TYPED = { type: 'http' } as const;
const bearer = (form: string) => ({ headers: { Authorization: `Bearer ${form}` } });
const RESTART = 'start it again from a terminal that has the new token';

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    file: '.mcp.json',
    merge: (text, url) =>
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in.
      editJson(text, (file) => withServer(file, 'mcpServers', { ...TYPED, url, ...bearer('${PARLEY_TOKEN}') })),
    alone: (url) => `claude mcp add --transport http parley ${url} --header 'Authorization: Bearer \${PARLEY_TOKEN}'`,
    start: 'claude',
    check: '`claude mcp list` says Connected; /mcp inside lists the tools',
    renewing: RESTART,
  },
  codex: {
    title: 'Codex CLI',
    file: '.codex/config.toml',
    merge: (text, url) =>
      mergeTable(
        text,
        [`url = ${JSON.stringify(url)}`, 'bearer_token_env_var = "PARLEY_TOKEN"'],
        ['startup_timeout_sec = 20', 'tool_timeout_sec = 60', 'default_tools_approval_mode = "approve"'],
      ),
    alone: (url) => `codex mcp add parley --url ${url} --bearer-token-env-var PARLEY_TOKEN`,
    start: 'codex',
    check: '`codex mcp list` shows the server with Bearer token; the repository must be one that Codex trusts',
    renewing: RESTART,
  },
  cursor: {
    title: 'Cursor',
    file: '.cursor/mcp.json',
    merge: (text, url) =>
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in.
      editJson(text, (file) => withServer(file, 'mcpServers', { url, ...bearer('${env:PARLEY_TOKEN}') })),
    start: 'cursor .',
    check: "the server and its tools are listed in Cursor's MCP settings",
    renewing: RESTART,
  },
  vscode: {
    title: 'VS Code',
    file: '.vscode/mcp.json',
    merge: mergeVsCode,
    asks: true,
    check: 'the command `MCP: List Servers` shows it running',
    renewing: 'another `id` of the input makes VS Code ask again; `--write` sees to that',
  },
  curl: { title: 'curl', check: 'it answers with the state of the session', renewing: 'set PARLEY_TOKEN anew' },
};

const INPUT = /^parley-token(?:-(\d{1,6}))?$/;

/** VS Code keeps the token that it asked for under the id of the input: another one makes it ask for the new token. */
function mergeVsCode(text: string | undefined, url: string): string {
  return editJson(text, (file) => {
    const inputs = listOf(file.inputs, 'inputs').map((input) => recordOf(input, 'an input'));
    const isOurs = (input: Readonly<Record<string, unknown>>): boolean => INPUT.test(String(input.id));
    const id = nextId(inputs.filter(isOurs).map((input) => String(input.id)));
    const input = { type: 'promptString', id, description: 'Parley token (prt_…)', password: true };
    const others = inputs.filter((other) => !isOurs(other));
    const server = { ...TYPED, url, ...bearer(`\${input:${id}}`) };
    return withServer({ ...file, inputs: [...others, input] }, 'servers', server);
  });
}

function nextId(used: readonly string[]): string {
  if (used.length === 0) return 'parley-token';
  return `parley-token-${1 + Math.max(...used.map((id) => Number(INPUT.exec(id)?.[1] ?? 1)))}`;
}
