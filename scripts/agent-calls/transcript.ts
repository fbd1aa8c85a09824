import type { Agent } from '@parley/core';
import type { FixedServer } from './fixed-server.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Names of the members of an answer that are printed. `a.b` is the member `b` of `a`; `*` means all members. An
 * ellipsis replaces all other members.
 */
type Shown = readonly string[];

interface Speaker {
  readonly token: string;
  readonly sessionId: string;
}

const NAMES: Readonly<Record<Agent, string>> = { agent_a: 'Agent A', agent_b: 'Agent B', moderator: 'The moderator' };

/** Prints a request and its answer, and returns the answer. */
type Print = () => Json;

interface CallOptions {
  readonly body?: unknown;
  readonly send?: Shown;
  readonly show?: Shown;
}

/** Calls the routes and tools of agents, and records requests and answers as text for docs/agent-guide.md. */
export interface Transcript {
  heading(text: string): void;
  say(text: string): void;
  /** Redeems an invitation code. The returned function prints the request and its answer. */
  join(agent: Agent, code: string): Promise<Print>;
  /**
   * Sends a call immediately. The returned function prints the call and its answer. `route` is relative to the session,
   * such as `GET state?wait=25`.
   */
  ask(agent: Agent, route: string, options?: CallOptions): Promise<Print>;
  call(agent: Agent, route: string, options?: CallOptions): Promise<Json>;
  /** Calls a tool over MCP, and prints the call and its answer. */
  tool(agent: Agent, name: string, options?: { readonly input?: Json; readonly show?: Shown }): Promise<Json>;
  text(): string;
}

export function createTranscript(server: FixedServer): Transcript {
  const speakers = new Map<Agent, Speaker>();
  const lines: string[] = [];
  const speaker = (agent: Agent): Speaker => speakers.get(agent) ?? { token: '', sessionId: '' };
  const headersOf = (agent: Agent) => ({ authorization: `Bearer ${speaker(agent).token}` });
  const print = (asked: string, status: number, answer: unknown): void => {
    const block = `${asked}\n\n${status}\n${printed(answer)}`.replace(/\b(prt|pinv|ghp)_\w+/g, '$1_…');
    lines.push('```http', block, '```', '');
  };

  const ask: Transcript['ask'] = async (agent, route, { body, send = ['*'], show = ['*'] } = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const url = `/api/public/agent/sessions/${speaker(agent).sessionId}/${path}`;
    const given = body === undefined ? {} : { body };
    const { status, text } = await server.send({ method, path: url, headers: headersOf(agent), ...given });
    const answer = JSON.parse(text);
    return () => {
      const sent = body === undefined ? '' : `\n${printed(pick(body, send))}`;
      const shown = status < 400 ? show : ['error', 'message', 'hint', ...show];
      print(`# ${NAMES[agent]}\n${route}${sent}`, status, pick(answer, shown));
      return answer;
    };
  };

  return {
    ask,
    heading: (text) => lines.push(`### ${text}`, ''),
    say: (text) => lines.push(text, ''),
    async join(agent, code) {
      const body = { code, client_type: 'our-agent/1.0' };
      const path = '/api/public/agent/invitations/redeem';
      const { status, text } = await server.send({ method: 'POST', path, body });
      const answer = JSON.parse(text);
      speakers.set(agent, { token: answer.token, sessionId: answer.session_id });
      return () => {
        const shown = ['token', 'expires_at', 'session_id', 'role'];
        print(`# ${NAMES[agent]}\nPOST ${path}\n${printed(body)}`, status, pick(answer, shown));
        return answer;
      };
    },
    call: async (agent, route, options) => (await ask(agent, route, options))(),
    async tool(agent, name, { input = {}, show = ['*'] } = {}) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
      const { status, text } = await server.send({
        method: 'POST',
        path: '/api/public/mcp',
        headers: headersOf(agent),
        body,
      });
      const { structuredContent } = JSON.parse(text).result;
      const answer = { result: { '…': '', structuredContent: pick(structuredContent, show) } };
      print(`# ${NAMES[agent]}\nPOST /api/public/mcp\n${printed(body)}`, status, answer);
      return structuredContent;
    },
    text: () => lines.join('\n'),
  };
}

/** Returns the answer with only the members that `shown` names. An ellipsis replaces the other members. */
function pick(answer: unknown, shown: Shown): unknown {
  if (shown.includes('*') || typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map((item) => pick(item, shown));
  const kept = Object.entries(answer).flatMap(([name, value]) => {
    const inside = shown.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
    if (inside.length > 0) return [[name, pick(value, inside)]];
    return shown.includes(name) ? [[name, value]] : [];
  });
  const isWhole = kept.length === Object.keys(answer).length;
  return { ...Object.fromEntries(kept), ...(isWhole ? {} : { '…': '' }) };
}

const WIDTH = 118;

/** JSON on one line if it fits into `WIDTH`. Otherwise each member is on a line of its own. */
function printed(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (indent.length + line.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => printed(item, inner))
    : Object.entries(value).map(([name, item]) =>
        name === '…' ? '…' : `${JSON.stringify(name)}: ${printed(item, inner)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

const LONGEST = 220;

function oneLine(value: unknown): string {
  if (typeof value === 'string' && value.length > LONGEST) return JSON.stringify(`${value.slice(0, LONGEST)}…`);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) =>
    name === '…' ? '…' : `${JSON.stringify(name)}: ${oneLine(item)}`,
  );
  return `{${members.join(', ')}}`;
}
