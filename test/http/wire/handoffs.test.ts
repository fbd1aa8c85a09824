import { seenIn } from '@parley/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type Heard } from '../../support/exchange.ts';
import type { Joined } from '../../support/join-session.ts';
import { callTool, restPath } from '../../support/requests.ts';
import { ask, openService, post, type Service } from '../../support/service.ts';
import { ALIASES, QUERIES, UNKNOWN, VALUES } from './support/file-names.ts';
import { openAt } from './support/sample-sessions.ts';
import { type Door, isAt, OPERATIONS, requestFor, verdictOf } from './support/targets.ts';

const STATUSES: Readonly<Record<string, number>> = {
  ARTIFACT_NOT_ASSIGNED: 403,
  UNKNOWN_RECORD: 404,
  INVALID_INPUT: 422,
};

let service: Service;
let joined: Joined;
/** Lines of agent_a's handoff that neither agent_b's handoff nor a shared artifact contains. */
let own: readonly string[];

beforeAll(async () => {
  service = await openService({ limits: { perToken: 1_000_000 } });
  joined = await openAt(service, 'approved');
  own = await linesOfA();
});
afterAll(() => service.close());

async function contentOf(role: 'agent_a' | 'agent_b', filename: string): Promise<string> {
  const { content } = await service.parley.agent(joined.tokens[role]).call('fetch_artifact', { filename });
  return content;
}

async function linesOfA(): Promise<string[]> {
  const [handoff, ...others] = await Promise.all([
    contentOf('agent_a', 'handoff-agent-a.md'),
    contentOf('agent_b', 'handoff-agent-b.md'),
    contentOf('agent_b', 'contract.md'),
    contentOf('agent_b', 'shared-contract.json'),
  ]);
  const shared = others.join('\n');
  return handoff.split('\n').filter((line) => line.trim().length > 3 && !shared.includes(line));
}

/** Which lines of `own` an answer contains, plain or escaped as in JSON text. */
const shownIn = ({ text }: Heard): string[] =>
  own.filter((line) => {
    const once = JSON.stringify(line).slice(1, -1);
    return [line, once, JSON.stringify(once).slice(1, -1)].some((form) => text.includes(form));
  });

const overRest = (query: string) =>
  ask(service, restPath(joined.sessionId, `artifacts/fetch?${query}`), joined.tokens.agent_b);
const overMcp = (filename: unknown) => post(service, joined.tokens.agent_b, callTool('fetch_artifact', { filename }));

test('the handoff of agent A has lines of its own, and A reads them', async () => {
  expect(own.length).toBeGreaterThan(5);
  const path = restPath(joined.sessionId, 'artifacts/fetch?filename=handoff-agent-a.md');
  expect(shownIn(await ask(service, path, joined.tokens.agent_a))).toEqual(own);
  expect(
    shownIn(await post(service, joined.tokens.agent_a, callTool('fetch_artifact', { filename: 'handoff-agent-a.md' }))),
  ).toEqual(own);
});

describe('agent B, who asks for the handoff of agent A', () => {
  test.each(Object.entries(QUERIES))('by a query with %s, is refused', async (_name, [query, code]) => {
    const heard = await overRest(query);
    expect([verdictOf(heard), shownIn(heard)]).toEqual([`${STATUSES[code]} ${code}`, []]);
  });

  test.each(Object.entries(ALIASES))('by a name with %s, is told that there is none', async (_name, filename) => {
    const rest = await overRest(new URLSearchParams({ filename }).toString());
    const mcp = await overMcp(filename);
    expect([verdictOf(rest), verdictOf(mcp)]).toEqual([`404 ${UNKNOWN}`, `200 isError ${UNKNOWN}`]);
    expect([shownIn(rest), shownIn(mcp)]).toEqual([[], []]);
  });

  test.each(VALUES)('by the value %j, is refused', async (value, code) => {
    const heard = await overMcp(value);
    expect([verdictOf(heard), shownIn(heard)]).toEqual([`200 isError ${code}`, []]);
  });

  test.each(['\u0000', 'handoff-agent-a.md\u0000', 'handoff-agent-b.md\u0000handoff-agent-a.md', '\ud800'])(
    'by a text that no name may hold, %j, gets nothing',
    async (filename) => {
      const heard = await overMcp(filename);
      expect([verdictOf(heard), shownIn(heard)]).toEqual(['200 isError INVALID_INPUT', []]);
    },
  );

  test('cannot confirm its receipt, though the manifest tells its checksum', async () => {
    const { manifest } = await service.parley.agent(joined.tokens.agent_b).call('list_artifacts', {});
    const { filename = '', sha256 = '' } = manifest?.artifacts.find((item) => item.filename.includes('-a.md')) ?? {};
    const heard = await ask(service, restPath(joined.sessionId, 'artifacts/receipt'), joined.tokens.agent_b, {
      filename,
      sha256,
    });
    expect([filename, verdictOf(heard)]).toEqual(['handoff-agent-a.md', '403 ARTIFACT_NOT_ASSIGNED']);
  });
});

describe('what agent B may read', () => {
  const doors: readonly Door[] = ['REST', 'MCP header', 'MCP path'];

  test.each(doors)('holds nothing of the handoff of agent A over %s', async (door) => {
    const { sessionId, tokens } = await openAt(service, 'approved');
    const targets = OPERATIONS.filter((target) => target.kind === 'builder' && isAt(door, target));
    const bearing = { sessionId, authorization: [`Bearer ${tokens.agent_b}`], segment: tokens.agent_b };
    for (const target of targets) {
      if (target.tool === 'wait_for_my_turn') continue;
      const heard = await service.send(requestFor(door, target, bearing));
      expect([target.name, shownIn(heard)]).toEqual([target.name, []]);
    }
  });

  test('names it only in the manifest, by filename and checksum', async () => {
    const { json } = await ask(service, restPath(joined.sessionId, 'artifacts'), joined.tokens.agent_b);
    expect(namesIn(at(json, 'artifacts'))).toEqual([
      'shared-contract.json',
      'handoff-agent-b.md',
      'for-agent-b.txt',
      'for-both.txt',
    ]);
    expect(namesIn(at(json, 'manifest', 'artifacts'))).toEqual([
      ...['shared-contract.json', 'contract.md', 'handshake.json', 'verification-plan.json'],
      ...['handoff-agent-a.md', 'handoff-agent-b.md', 'for-agent-a.txt', 'for-agent-b.txt', 'for-both.txt'],
    ]);
  });

  test('holds an artifact for agent A where the contract shows it, and is not given it as a file', async () => {
    const { agent_b } = joined.tokens;
    const plan = await ask(service, restPath(joined.sessionId, 'plan'), agent_b);
    expect(at(plan.json, 'contract', 'artifacts', 0, 'content')).toBe('saffron quartz: for agent A to confirm');
    const rest = await overRest('filename=for-agent-a.txt');
    const mcp = await overMcp('for-agent-a.txt');
    expect(verdictOf(rest)).toBe('403 ARTIFACT_NOT_ASSIGNED');
    expect(verdictOf(mcp)).toBe('200 isError ARTIFACT_NOT_ASSIGNED');
    expect(rest.text + mcp.text).not.toContain('quartz');
  });

  test('shrinks to nothing where the owner requests changes, for both alike', async () => {
    const { sessionId, tokens } = await openAt(service, 'approved');
    await service.owner.requestChanges(sessionId, {
      reason: 'The pages are too long.',
      seen: await seenIn(service.owner, sessionId),
    });
    for (const token of [tokens.agent_a, tokens.agent_b])
      for (const letter of ['a', 'b']) {
        const path = restPath(sessionId, `artifacts/fetch?filename=handoff-agent-${letter}.md`);
        expect(verdictOf(await ask(service, path, token))).toBe('404 UNKNOWN_RECORD');
      }
  });
});

const namesIn = (list: unknown): unknown[] =>
  Array.isArray(list) ? list.map((item: unknown) => at(item, 'filename')) : [];

test('a moderator reads no artifact and nothing of a handoff', async () => {
  const { moderator } = joined.tokens;
  const heard = await ask(
    service,
    restPath(joined.sessionId, 'artifacts/fetch?filename=handoff-agent-a.md'),
    moderator,
  );
  expect(verdictOf(heard)).toBe('403 MODERATOR_FORBIDDEN');
  for (const route of ['task', 'state', 'messages', 'plan', 'contract-blockers', 'decisions'])
    expect(shownIn(await ask(service, restPath(joined.sessionId, route), moderator))).toEqual([]);
});
