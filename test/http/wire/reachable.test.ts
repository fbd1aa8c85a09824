import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/exchange.ts';
import { type Joined, MARK } from '../../support/join-session.ts';
import { bearer, callTool, restPath, rpc } from '../../support/requests.ts';
import { openService, post, type Service } from '../../support/service.ts';
import { openAt } from './support/sample-sessions.ts';
import { type Kind, OLDER_NAMES, SPECIFIED } from './support/specification.ts';
import { verdictOf } from './support/targets.ts';

const ROLES = [
  ['agent_a', 'builder'],
  ['agent_b', 'builder'],
  ['moderator', 'moderator'],
] as const;

/** Every operation refuses this input. A refusal shows that the request reached the operation. */
const NO_INPUT = { no_such_member: 1 };

let service: Service;
let joined: Joined;

beforeAll(async () => {
  service = await openService({ limits: { perToken: 1_000_000 } });
  joined = await openAt(service, 'moderated');
});
afterAll(() => service.close());

const rowsOf = (kind: Kind) => SPECIFIED.filter((row) => row.kind === kind);
const routesOf = (kind: Kind): ReadonlySet<string> => new Set(rowsOf(kind).flatMap(({ route }) => route ?? []));
const toolsOf = (kind: Kind): readonly string[] => rowsOf(kind).map(({ tool }) => tool);

/** Maps each path of the specification's tables to the methods that some kind of token may use. */
const PATHS: ReadonlyMap<string, readonly string[]> = SPECIFIED.reduce((paths, { route }) => {
  const [method = '', path = ''] = (route ?? '').split(' ');
  return path === '' ? paths : paths.set(path, [...new Set([...(paths.get(path) ?? []), method])]);
}, new Map<string, readonly string[]>());

test('the tables hold 47 routes and 48 tools of builders, 22 routes and 23 tools of moderators, and 4 older names', () => {
  const sizes = (['builder', 'moderator'] as const).map((kind) => [routesOf(kind).size, new Set(toolsOf(kind)).size]);
  expect([sizes, Object.keys(OLDER_NAMES).length, PATHS.size]).toEqual([
    [
      [47, 48],
      [22, 23],
    ],
    4,
    56,
  ]);
});

async function restVerdict(role: keyof Joined['tokens'], method: string, path: string): Promise<string> {
  const isPost = method === 'POST';
  const heard = await service.send({
    method,
    path: `${restPath(joined.sessionId, path)}${isPost ? '' : '?no_such_member=1'}`,
    headers: bearer(joined.tokens[role]),
    body: isPost ? JSON.stringify(NO_INPUT) : undefined,
  });
  return [heard.headers.allow, verdictOf(heard)].filter(Boolean).join(' ');
}

/** The answer that the specification's tables require for a method of a path. */
function expectedOf(kind: Kind, method: string, path: string): string {
  const methods = PATHS.get(path);
  if (!methods) return '404 NOT_FOUND';
  if (!methods.includes(method)) {
    const allow = `${methods.toSorted().join(', ')}, OPTIONS 405`;
    return method === 'HEAD' ? allow : `${allow} METHOD_NOT_ALLOWED`;
  }
  if (routesOf(kind).has(`${method} ${path}`)) return '422 INVALID_INPUT';
  return kind === 'moderator' ? '403 MODERATOR_FORBIDDEN' : '403 BUILDER_FORBIDDEN';
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'QUERY'];

/** Paths that resemble a path in the specification's tables. */
const near = (path: string): readonly string[] => [
  `${path}/`,
  `/${path}`,
  path.toUpperCase(),
  `${path}/list`,
  `%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  `moderator/${path}`,
  `x/../${path}`,
];

const sortedAllow = (verdict: string): string => verdict.replace('POST, GET,', 'GET, POST,');

describe.each(ROLES)('%s', (role, kind) => {
  const other = kind === 'builder' ? 'moderator' : 'builder';

  test('reaches over REST the routes of its table, by their methods, and nothing else', async () => {
    const places = [...PATHS.keys()].flatMap((path) => METHODS.map((method) => [method, path] as const));
    const observed: Record<string, string> = {};
    for (const [method, path] of places)
      observed[`${method} ${path}`] = sortedAllow(await restVerdict(role, method, path));
    const expected = places.map(([method, path]) => [`${method} ${path}`, expectedOf(kind, method, path)]);
    expect(observed).toEqual(Object.fromEntries(expected));
    const reached = Object.values(observed).filter((verdict) => verdict === '422 INVALID_INPUT');
    expect(reached).toHaveLength(kind === 'builder' ? 47 : 22);
  });

  test('finds nothing beside the paths of the tables', async () => {
    const beside = [...PATHS.keys()].flatMap(near).filter((path) => !PATHS.has(path));
    const observed = new Map<string, string>();
    for (const path of [...beside, 'start', 'pause', 'approve-contract', 'wait_for_activity', 'constructor', '.'])
      for (const method of ['GET', 'POST']) observed.set(`${method} ${path}`, await restVerdict(role, method, path));
    expect(observed.size).toBe(786);
    expect([...observed].filter(([, verdict]) => verdict !== '404 NOT_FOUND')).toEqual([]);
  });

  test('is listed the tools of its table, and none of the older names', async () => {
    const { json } = await post(service, joined.tokens[role], rpc('tools/list'));
    const tools = at(json, 'result', 'tools');
    const names = Array.isArray(tools) ? tools.map((tool) => String(at(tool, 'name'))) : [];
    expect(names.toSorted()).toEqual(toolsOf(kind).toSorted());
  });

  test('calls by name the tools of its table, a moderator by the older names too, and nothing else', async () => {
    const older = Object.keys(OLDER_NAMES);
    const own = new Set([...toolsOf(kind), ...(kind === 'moderator' ? older : [])]);
    const strangers = ['health', 'redeem_invitation', 'revoke', 'stopModerator', 'grant_moderator', 'toString', ''];
    const names = new Set([...toolsOf(kind), ...toolsOf(other), ...older, ...strangers]);
    expect(names.size).toBe(72);
    for (const name of names) {
      const heard = await post(service, joined.tokens[role], callTool(name, NO_INPUT));
      // A tool without parameters leaves out what a client adds.
      const expected = own.has(name) ? /^200( isError INVALID_INPUT)?$/ : /^200 -32602$/;
      expect([name, verdictOf(heard)]).toEqual([name, expect.stringMatching(expected)]);
    }
  });
});

describe('an older name', () => {
  const INPUTS: Readonly<Record<string, object>> = {
    list_findings: {},
    ask_agents: { text: `Is ${MARK} signed?` },
    withdraw_intervention: { intervention_id: 'i_3' },
    raise_finding: { category: 'SCOPE', text: `No ${MARK}.`, resolution_criteria: `Some ${MARK}.` },
  };

  test('does what the listed one does', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, input] of Object.entries(INPUTS)) {
      const { json } = await post(service, joined.tokens.moderator, callTool(name, input));
      said[name] = at(json, 'result', 'structuredContent');
    }
    expect(said).toMatchObject({
      list_findings: { findings: [{ finding_id: 'f_1' }, { finding_id: 'f_2' }, { finding_id: 'f_3' }] },
      ask_agents: { question: { intervention_id: 'i_3', type: 'QUESTION', status: 'OPEN' } },
      withdraw_intervention: { question: { intervention_id: 'i_3', status: 'WITHDRAWN' } },
      raise_finding: { finding: { finding_id: 'f_4', status: 'OPEN' }, hold: null },
    });
  });
});

test('GET findings lists the same to both kinds of token, each by its own tool', async () => {
  const texts = [
    await service.send({
      method: 'GET',
      path: restPath(joined.sessionId, 'findings'),
      headers: bearer(joined.tokens.agent_a),
    }),
    await service.send({
      method: 'GET',
      path: restPath(joined.sessionId, 'findings'),
      headers: bearer(joined.tokens.moderator),
    }),
  ].map(({ status, text }) => `${status} ${text}`);
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).toContain('"finding_id":"f_3"');
});
