import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import { seenIn } from '../../src/testing/index.ts';
import { A_COMMIT, B_COMMIT, NEW_COMMIT } from './builds.ts';
import { HANDSHAKE, openBuild } from './open-build.ts';

const EVIDENCE = {
  scenario_id: 'test-reserve',
  attempt: 1,
  kind: 'log',
  claim: 'It holds.',
  summary: 'Seen.',
  request_id: 'req-1',
} as const;

async function declared(): Promise<OpenedSession> {
  const session = await openBuild();
  await session.agentA.call('verify_handshake', { ...HANDSHAKE, commit: A_COMMIT });
  await session.agentB.call('verify_handshake', { ...HANDSHAKE, commit: B_COMMIT });
  return session;
}

const start = ({ agentA }: OpenedSession) => agentA.call('verify_start_attempt', { scenario_id: 'test-reserve' });
const first = async ({ agentA }: OpenedSession) => (await agentA.call('verify_board', {})).scenarios[0];

describe('calls at the same moment', () => {
  test('start one attempt', async () => {
    const session = await declared();
    const started = await Promise.all([start(session), start(session), start(session), start(session)]);
    expect(started.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect((await first(session))?.attempts).toHaveLength(1);
  });

  test('store every item of evidence', async () => {
    const session = await declared();
    await start(session);
    const items = [session.agentA, session.agentB, session.agentA, session.agentB];
    const give = (index: number) =>
      items[index]?.call('verify_submit_evidence', { ...EVIDENCE, summary: `Seen, look ${Math.floor(index / 2)}.` });
    await Promise.all(items.map((_, index) => give(index)));
    expect((await first(session))?.attempts[0]).toMatchObject({ evidence_count: 4, evaluation: { met: true } });
  });

  test.each(['verdict first', 'commit first'])(
    'never leave a pass on a commit that was replaced: %s',
    async (order) => {
      const session = await declared();
      await start(session);
      for (const agent of [session.agentA, session.agentB]) await agent.call('verify_submit_evidence', EVIDENCE);
      const judge = () =>
        session.agentB.call('verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' });
      const declare = () => session.agentA.call('verify_handshake', { ...HANDSHAKE, commit: NEW_COMMIT });
      const isFirst = order === 'verdict first';
      await Promise.allSettled(isFirst ? [judge(), declare()] : [declare(), judge()]);
      const { status, attempts } = (await first(session)) ?? {};
      expect(`${status} ${attempts?.[0]?.status}`).toBe(isFirst ? 'STALE PASSED' : 'READY ABORTED');
    },
  );

  test('give one verdict', async () => {
    const session = await declared();
    await start(session);
    for (const agent of [session.agentA, session.agentB]) await agent.call('verify_submit_evidence', EVIDENCE);
    const verdicts = (['PASS', 'FAIL'] as const).map((verdict) =>
      session.agentB.call('verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict }),
    );
    const settled = await Promise.allSettled(verdicts);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'ATTEMPT_CLOSED' } });
  });

  test('release nothing that changes at the same moment', async () => {
    const session = await declared();
    await start(session);
    for (const agent of [session.agentA, session.agentB]) await agent.call('verify_submit_evidence', EVIDENCE);
    await session.agentB.call('verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' });
    const expiry = { ...EVIDENCE, scenario_id: 'test-expiry' };
    await session.agentB.call('verify_start_attempt', { scenario_id: 'test-expiry' });
    for (const agent of [session.agentA, session.agentB]) await agent.call('verify_submit_evidence', expiry);
    await session.agentA.call('verify_verify', { scenario_id: 'test-expiry', attempt: 1, verdict: 'PASS' });
    const seen = await seenIn(session.owner, session.sessionId);
    await Promise.allSettled([
      session.agentA.call('verify_handshake', { ...HANDSHAKE, commit: NEW_COMMIT }),
      session.owner.authorize(session.sessionId, { stage: 'deployment', seen }),
    ]);
    const { phase, authorizations } = await session.agentA.call('verify_board', {});
    expect([phase, authorizations?.deployment_authorized]).toEqual(['VERIFY', false]);
  });
});
