import { type Json, readAs } from '../../text/read-as.ts';

export const DRIVEN = ['claude-code', 'codex'] as const;
export type Driven = (typeof DRIVEN)[number];

export interface CallInput {
  readonly prompt: string;
  readonly url: string;
  readonly conversation: string | undefined;
  /** Command-line flags that the user has given for the client. */
  readonly flags: readonly string[];
}

/** The result of a run, read from the output of the client. */
interface CallReport {
  readonly conversation?: string | undefined;
  /** Cost of the run in US dollars, as far as it is known. */
  readonly cost: number;
  /** The client has reported something that is no cost. */
  readonly isCostUnknown?: true;
}

/** Adds up the costs of lines. What is not a finite number of at least 0 is no cost: an agent could lower the sum with it. */
function costOf(lines: readonly Json[]): Pick<CallReport, 'cost' | 'isCostUnknown'> {
  const given = lines.map(({ total_cost_usd: cost }) => cost).filter((cost) => cost !== undefined);
  const costs = given.filter((cost): cost is number => Number.isFinite(cost) && Number(cost) >= 0);
  const cost = costs.reduce((sum, one) => sum + one, 0);
  return { cost, ...(costs.length < given.length ? { isCostUnknown: true } : {}) };
}

/**
 * How a client is run without a person. The command line contains the settings of the MCP server; the variable
 * `PARLEY_TOKEN` contains the token.
 */
export interface Driver {
  readonly command: (input: CallInput) => {
    readonly program: string;
    readonly args: readonly string[];
    readonly isShell?: true;
  };
  /** Reads the result of a run from the JSON lines that the client has printed. */
  readonly report: (lines: readonly Json[]) => CallReport;
}

const mcpUrl = (url: string): string => `${url}/api/public/mcp`;

/** The id of a conversation, which becomes an argument of the client. Undefined for a text that could be a flag. */
const conversationId = (text: string): string | undefined => (/^\w[\w-]{0,199}$/.test(text) ? text : undefined);

const CLAUDE_CODE: Driver = {
  command({ prompt, url, conversation, flags }) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code expands the variable.
    const headers = { Authorization: 'Bearer ${PARLEY_TOKEN}' };
    const config = { mcpServers: { parley: { type: 'http', url: mcpUrl(url), headers } } };
    const resume = conversation === undefined ? [] : ['--resume', conversation];
    const output = ['--output-format', 'stream-json', '--verbose'];
    const server = ['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__parley'];
    return { program: 'claude', args: ['-p', prompt, ...resume, ...server, ...output, ...flags] };
  },
  report(lines) {
    const result = lines.findLast(({ type }) => type === 'result') ?? {};
    const conversation = lines.findLast(({ session_id: id }) => typeof id === 'string');
    return {
      conversation: conversation && conversationId(readAs(conversation, { session_id: 'text' }).session_id),
      ...costOf([result]),
    };
  },
};

const CODEX: Driver = {
  command({ prompt, url, conversation, flags }) {
    const settings = {
      url: mcpUrl(url),
      bearer_token_env_var: 'PARLEY_TOKEN',
      startup_timeout_sec: 20,
      tool_timeout_sec: 60,
      default_tools_approval_mode: 'approve',
    };
    const server = Object.entries(settings).flatMap(([name, value]) => [
      '-c',
      `mcp_servers.parley.${name}=${JSON.stringify(value)}`,
    ]);
    const resume = conversation === undefined ? [] : ['resume', conversation];
    return {
      program: 'codex',
      args: ['exec', ...resume, '--json', ...server, ...flags, prompt],
    };
  },
  report(lines) {
    const started = lines.findLast(({ type }) => type === 'thread.started');
    return { conversation: started && conversationId(readAs(started, { thread_id: 'text' }).thread_id), cost: 0 };
  },
};

export const DRIVERS: Readonly<Record<Driven, Driver>> = { 'claude-code': CLAUDE_CODE, codex: CODEX };

/**
 * Runs any command line in a shell. `{prompt}` is replaced by the quoted prompt; the variable `PARLEY_PROMPT` contains
 * the prompt too.
 */
export const shellDriver = (command: string): Driver => ({
  command: () => ({ program: command.replaceAll('{prompt}', '"$PARLEY_PROMPT"'), args: [], isShell: true }),
  report: costOf,
});
