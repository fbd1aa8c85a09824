import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentPrompt } from '../../packages/owner-app/src/text/joining.ts';
import { MAIN } from '../../packages/owner-app/test/child.ts';
import {
  type Endpoint,
  endpointOfArguments,
  endpointOfJson,
  endpointOfToml,
  readTaskAt,
  tomlTable,
} from './support/client-settings.ts';
import { createNewcomer } from './support/newcomer.ts';
import { fillIn, type RunningService, runService } from './support/running-service.ts';
import { snippetsOf, snippetUnder } from './support/snippets.ts';

const CODES = 'From the invitation to a token';
const INVITING = 'From the invitation to an agent';
const CLAUDE_CODE = 'Claude Code';
const CODEX = 'Codex CLI';
const CURSOR = 'Cursor';
const VS_CODE = 'VS Code (Copilot, agent mode)';
const TYPESCRIPT = 'TypeScript SDK';
const PYTHON = 'Python SDK';
const WAITING = 'Waiting without a model';
const DRIVING = 'Driving an agent without a person';
const PROMPTS = 'What to tell the agent';
const LEAVE = 'Renew, and leave';

const page = readFileSync('docs/connect.md', 'utf8');
const snippets = snippetsOf('docs/connect.md');
// Shell script that replaces the programs `claude` and `codex`, and prints its arguments, one per line.
const PRINT_ARGUMENTS = 'printf "%s\\n" "$@"';
const newcomer = createNewcomer({
  npx: `[ "$1" = parley ] && shift && exec "${process.execPath}" "${MAIN}" "$@"`,
  // In docs/connect.md, `parley.js` is in a clone of Parley beside the agent's repository.
  node: `case "$1" in ../parley/packages/owner-app/bin/parley.js) shift; set -- "${MAIN}" "$@";; esac; exec "${process.execPath}" "$@"`,
  claude: PRINT_ARGUMENTS,
  codex: PRINT_ARGUMENTS,
});
let service: RunningService;
let token: string;
let moderator: string;

beforeAll(async () => {
  service = await runService();
  token = await service.tokenOf('agent_a');
  moderator = await service.tokenOf('moderator');
});

afterAll(async () => {
  newcomer.leave();
  await service.close();
});

const block = (heading: string, language: string, place?: number) =>
  fillIn(snippetUnder(snippets, heading, language, place), service, { token });
const asOwner = () => ({ PARLEY_URL: service.url, PARLEY_OWNER_KEY: service.ownerKey });

test('the page has no block beyond those that are tried here', () => {
  expect(snippets.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    `${INVITING}: sh`,
    `${CODES}: sh`,
    `${CODES}: sh`,
    `${CODES}: text`,
    `${CLAUDE_CODE}: sh`,
    `${CLAUDE_CODE}: json`,
    `${CLAUDE_CODE}: json`,
    `${CODEX}: toml`,
    `${CODEX}: sh`,
    `${CURSOR}: json`,
    `${VS_CODE}: json`,
    `${TYPESCRIPT}: js`,
    `${TYPESCRIPT}: js`,
    `${PYTHON}: python`,
    `${PYTHON}: python`,
    'curl: sh',
    'curl: sh',
    `${WAITING}: sh`,
    `${WAITING}: js`,
    `${DRIVING}: sh`,
    `${PROMPTS}: text`,
    `${PROMPTS}: text`,
    `${PROMPTS}: text`,
    `${LEAVE}: sh`,
  ]);
});

test('the owner invites, an agent redeems, and the owner ends the access', async () => {
  const { code, out } = await newcomer.shell(block(INVITING, 'sh'), asOwner());
  expect(code).toBe(0);
  const [first = '', moderatorCode = ''] = [...new Set(out.match(/pinv_\w+/g))];
  const redeem = fillIn(snippetUnder(snippets, CODES, 'sh', 1), service, { code: moderatorCode });
  const redeemed = JSON.parse((await newcomer.shell(redeem)).out);
  expect(redeemed).toMatchObject({ role: 'moderator', session_id: service.sessionId });
  moderator = redeemed.token;

  const revoked = await newcomer.shell(block(LEAVE, 'sh'), asOwner());
  expect(revoked.code).toBe(0);
  const late = fillIn(snippetUnder(snippets, CODES, 'sh', 1), service, { code: first });
  expect(JSON.parse((await newcomer.shell(late)).out)).toMatchObject({ error: 'INVITATION_INVALID' });
  token = await service.tokenOf('agent_a');
});

test('the command connects without a key of the owner', async () => {
  const { code } = await service.owner.invite(service.sessionId, { role: 'agent_b' });
  const connect = fillIn(snippetUnder(snippets, CODES, 'sh', 0), service);
  const { code: exit, out } = await newcomer.shell(`echo ${code} | ${connect}`);
  expect(exit).toBe(0);
  const [, file = ''] = /^( {2}\{\n.*?^ {2}\})$/ms.exec(out) ?? [];
  const values = { PARLEY_TOKEN: /prt_[\w-]{40,}/.exec(out)?.[0] ?? '' };
  expect(await readTaskAt(endpointOfJson(file, values))).toMatchObject({ your_role: 'agent_b' });
});

describe('the settings reach the task', () => {
  const values = () => ({ PARLEY_TOKEN: token, 'parley-token': token });
  const settings: [string, () => Endpoint | Promise<Endpoint>][] = [
    ['.mcp.json', () => endpointOfJson(block(CLAUDE_CODE, 'json', 0), values())],
    ['claude mcp add', async () => endpointOfArguments(await told(CLAUDE_CODE), values())],
    ['config.toml', () => endpointOfToml(block(CODEX, 'toml'), values())],
    ['codex mcp add', async () => endpointOfArguments(await told(CODEX), values())],
    ['.cursor/mcp.json', () => endpointOfJson(block(CURSOR, 'json'), values())],
    ['.vscode/mcp.json', () => endpointOfJson(block(VS_CODE, 'json'), values())],
  ];
  const told = async (heading: string) => (await newcomer.shell(block(heading, 'sh'))).out;

  test.each(settings)('%s', async (_name, endpoint) => {
    expect(await readTaskAt(await endpoint())).toMatchObject({ your_role: 'agent_a' });
  });

  test('in the form of the path too', async () => {
    const [, form = ''] = /\| Path form, .*? \| `(.+)` \|/.exec(page) ?? [];
    expect(await readTaskAt({ url: fillIn(form, service, { token }), headers: {} })).toMatchObject({
      your_role: 'agent_a',
    });
  });

  test('and have only members that their clients know', () => {
    expect(JSON.parse(block(CLAUDE_CODE, 'json', 1))).toEqual({ permissions: { allow: ['mcp__parley'] } });
    expect(Object.keys(tomlTable(block(CODEX, 'toml'), 'mcp_servers.parley'))).toEqual([
      'url',
      'bearer_token_env_var',
      'startup_timeout_sec',
      'tool_timeout_sec',
      'default_tools_approval_mode',
    ]);
    const { inputs, servers } = JSON.parse(block(VS_CODE, 'json'));
    expect(Object.keys(servers.parley)).toEqual(['type', 'url', 'headers']);
    expect(inputs).toMatchObject([{ type: 'promptString', id: 'parley-token', password: true }]);
  });
});

const STEP = /tool: 'post_turn'|'tool': 'post_turn'/;

test.each([
  ['@modelcontextprotocol/sdk', 0],
  ['@modelcontextprotocol/client', 1],
])('the program for %s prints the next step', async (_name, place) => {
  const { code, out, err } = await newcomer.program(block(TYPESCRIPT, 'js', place), { PARLEY_TOKEN: token });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(STEP);
});

describe.each([
  [1, process.env.MCP_PYTHON_1],
  [2, process.env.MCP_PYTHON_2],
])('the program for version %i of the Python SDK', (version, python) => {
  test.skipIf(!python)('prints the next step', async () => {
    const args = ['-c', block(PYTHON, 'python', version - 1)];
    const { code, out, err } = await newcomer.run(python ?? '', args, { PARLEY_TOKEN: token });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(STEP);
  });
});

test('curl reads the state over MCP, and over REST as a builder and as the moderator', async () => {
  const variables = { PARLEY_TOKEN: token, PARLEY_MODERATOR_TOKEN: moderator, PARLEY_SESSION: service.sessionId };
  const overMcp = await newcomer.shell(block('curl', 'sh', 0), variables);
  expect(JSON.parse(overMcp.out)).toMatchObject({ result: { structuredContent: { your_role: 'agent_a' } } });
  const overRest = await newcomer.shell(block('curl', 'sh', 1), variables);
  const [state, events] = overRest.out.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text));
  expect(state).toMatchObject({ your_role: 'agent_a', phase: 'PLANNING' });
  expect(events).toMatchObject({ events: [{ kind: 'session.started' }], acked_cursor: 0 });
});

test('an agent waits in its shell', async () => {
  const waiting = newcomer.shell(block(WAITING, 'sh'), { PARLEY_URL: service.url, PARLEY_TOKEN: token });
  const { code, out } = await waiting;
  expect(code).toBe(0);
  expect(out).toMatch(/^agent_a: ACTIVE in PLANNING.*\nNext: post_turn: /);
});

test('a program waits by HTTP', async () => {
  const variables = { PARLEY_TOKEN: token, PARLEY_SESSION: service.sessionId };
  const { code, out, err } = await newcomer.program(block(WAITING, 'js'), variables);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^ACTIVE \{\s+tool: 'post_turn',/);
});

test('the command that drives an agent asks the service to exchange the code', async () => {
  const line = `echo pinv_unknown | ${fillIn(snippetUnder(snippets, DRIVING, 'sh'), service).replace('../shop', '.')}`;
  const { code, err } = await newcomer.shell(line, { PARLEY_URL: service.url });
  expect(code).toBe(1);
  expect(err).toContain('parley: INVITATION_INVALID: ');
});

test('the prompt for an agent without a token is what invitations print', () => {
  const prompt = snippetUnder(snippets, PROMPTS, 'text', 0).trimEnd();
  expect(prompt).toBe(agentPrompt({ code: 'pinv_…', role: 'agent_b', url: 'http://127.0.0.1:4100' }));
});

test('the prompts name tools of their role, and the page counts them', async () => {
  const roles = [
    { tools: await toolsOf(token), prompt: block(PROMPTS, 'text', 0) },
    { tools: await toolsOf(token), prompt: block(PROMPTS, 'text', 1) },
    { tools: await toolsOf(moderator), prompt: block(PROMPTS, 'text', 2) },
  ];
  const words = roles.map(({ tools, prompt }) => {
    const named = new Set(prompt.match(/[a-z]+(?:_[a-z]+)+/g));
    return {
      tools: tools.filter((tool) => named.has(tool)).length,
      others: [...named].filter((word) => !tools.includes(word)),
    };
  });
  expect(words).toEqual([
    { tools: 4, others: ['session_id', 'next_call', 'request_id'] },
    { tools: 4, others: ['request_id'] },
    { tools: 7, others: ['wait_seconds', 'pending_actions', 'next_cursor'] },
  ]);
  const [builder, , moderators] = roles.map(({ tools }) => tools.length);
  expect(page).toContain(`| ${builder} for a builder, ${moderators} for the moderator,`);
});

async function toolsOf(bearer: string): Promise<string[]> {
  const response = await fetch(`${service.url}/api/public/mcp/${bearer}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = JSON.parse(await response.text());
  return result.tools.map(({ name }: { name: string }) => name);
}
