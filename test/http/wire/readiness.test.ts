import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type Heard } from '../../support/exchange.ts';
import type { Joined } from '../../support/join-session.ts';
import { callTool, restPath } from '../../support/requests.ts';
import { ask, openService, post, type Service } from '../../support/service.ts';
import { withoutRoutes } from './support/hint-routes.ts';
import { countRows, PLACES, type Place } from './support/places.ts';
import { REPORTS, receiptsAsked } from './support/readiness-cases.ts';
import { rightReport } from './support/reports.ts';
import { openAt } from './support/sample-sessions.ts';

type Report = Awaited<ReturnType<typeof rightReport>>;

/** Sessions of one service in which agent_a has confirmed no artifact, all but one, or all. */
interface Sessions {
  readonly none: Joined;
  readonly allButOne: Joined;
  readonly all: Joined;
}

async function confirm({ parley }: Service, { tokens }: Joined, role: 'agent_a' | 'agent_b', left = 0): Promise<void> {
  const agent = parley.agent(tokens[role]);
  const { artifacts } = await agent.call('list_artifacts', {});
  for (const { filename, sha256 } of artifacts.slice(0, artifacts.length - left))
    await agent.call('confirm_receipt', { filename, sha256 });
}

async function openSessions(service: Service): Promise<Sessions> {
  const sessions = {
    none: await openAt(service, 'approved'),
    allButOne: await openAt(service, 'approved'),
    all: await openAt(service, 'approved'),
  };
  await confirm(service, sessions.allButOne, 'agent_a', 1);
  await confirm(service, sessions.all, 'agent_a');
  await confirm(service, sessions.all, 'agent_b');
  return sessions;
}

describe.each(PLACES)('on %s', (_name, open) => {
  let place: Place;
  let service: Service;
  let sessions: Sessions;
  let rowsBefore: readonly object[];
  let right: Report;

  const start = async (): Promise<void> => {
    service = await openService({ storage: await place.connect(), limits: { perToken: 1_000_000 } });
  };
  const stop = async (): Promise<void> => {
    await service.close();
    await service.storage.close();
  };

  beforeAll(async () => {
    place = await open();
    await start();
    sessions = await openSessions(service);
    await stop();
    rowsBefore = await countRows(place);
    await start();
    right = await rightReport(service.parley.agent(sessions.all.tokens.agent_a));
  });
  afterAll(async () => {
    await stop();
    await place.remove();
  });

  /** Makes the call over REST and over MCP, and expects the same answer from both. Returns the answer. */
  async function send({ sessionId, tokens }: Joined, tool: string, input: object): Promise<unknown> {
    const route = tool === 'submit_readiness' ? 'readiness' : 'artifacts/receipt';
    const rest = await ask(service, restPath(sessionId, route), tokens.agent_a, input);
    const mcp = await post(service, tokens.agent_a, callTool(tool, input));
    expect(at(mcp.json, 'result', 'content', 0, 'text')).toBe(withoutRoutes(rest.text));
    expectNoAnswer(rest, right, input);
    return rest.json;
  }

  test.each(REPORTS)('a report with %s is refused by name', async (_what, change, error) => {
    const said = await send(sessions.all, 'submit_readiness', { ...right, ...change(right) });
    expect(said).toMatchObject({ ok: false, ...error });
  });

  test('a report before any receipt names every artifact that is missing', async () => {
    const said = await send(sessions.none, 'submit_readiness', { ...right, content_hash: 'another', answers: [] });
    const filenames = ['handoff-agent-a.md', 'for-agent-a.txt', 'for-both.txt'];
    expect(said).toMatchObject({ error: 'RECEIPTS_MISSING', filenames });
  });

  test('a report before the last receipt names the one artifact that is missing', async () => {
    const said = await send(sessions.allButOne, 'submit_readiness', right);
    expect(said).toMatchObject({ error: 'RECEIPTS_MISSING', filenames: ['for-both.txt'] });
  });

  test.each(receiptsAsked)('a receipt with %s is refused', async (_what, input, error) => {
    const wrong = typeof input === 'function' ? input(right) : input;
    expect(await send(sessions.none, 'confirm_receipt', wrong)).toMatchObject({ ok: false, ...error });
  });

  test('none of all this left a row behind, and the right report is taken', async () => {
    await stop();
    expect(await countRows(place)).toEqual(rowsBefore);
    await start();
    const { sessionId, tokens } = sessions.all;
    const { json } = await ask(service, restPath(sessionId, 'readiness'), tokens.agent_a, right);
    expect(json).toMatchObject({ both_ready: false, readiness: [{ by: 'agent_a', verdict: 'READY_TO_CODE' }] });
    const other = await rightReport(service.parley.agent(tokens.agent_b));
    const mcp = await post(service, tokens.agent_b, callTool('submit_readiness', other));
    expect(at(mcp.json, 'result', 'structuredContent', 'both_ready')).toBe(true);
    await stop();
    expect(await countRows(place)).not.toEqual(rowsBefore);
    await start();
  });
});

/** Expects that an error contains no correct value that the request did not contain. */
function expectNoAnswer({ text }: Heard, right: Report, sent: object): void {
  const secrets = [right.content_hash, right.handshake_sha256, right.shared_contract_sha256];
  const known = JSON.stringify(sent);
  for (const secret of secrets) if (!known.includes(secret)) expect(text).not.toContain(secret);
}
