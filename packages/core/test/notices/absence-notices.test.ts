import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/testing/index.ts';
import { due, tell } from './told.ts';

const MINUTE = 60_000;

describe('an absent agent', () => {
  test('is reported once it is silent, once for each absence', async () => {
    const session = await openSession();
    const { clock, agentA } = session;
    clock.advance(14 * MINUTE);
    expect(await due(session)).toEqual([]);
    clock.advance(MINUTE);
    expect(await due(session)).toEqual(['AGENT_ABSENT:agent_a:1']);
    await tell(session);
    clock.advance(60 * MINUTE);
    expect(await due(session)).toEqual([]);
    await agentA.call('read_session_state');
    clock.advance(15 * MINUTE);
    expect(await due(session)).toEqual(['AGENT_ABSENT:agent_a:2']);
  });

  test('is reported before its token expires, and after it has expired', async () => {
    const session = await openSession();
    const { clock, agentA } = session;
    clock.advance(23 * 60 * MINUTE + 29 * MINUTE);
    await agentA.call('read_session_state');
    expect(await due(session)).toEqual([]);
    clock.advance(MINUTE);
    expect(await due(session)).toEqual(['AGENT_ABSENT:agent_a:1', 'AGENT_ABSENT:agent_b:1']);
    await tell(session);
    clock.advance(MINUTE);
    expect(await due(session)).toEqual([]);
    clock.advance(30 * MINUTE);
    expect(await due(session)).toEqual(['AGENT_ABSENT:agent_a:2', 'AGENT_ABSENT:agent_b:2']);
  });

  test('is not reported at once if the owner revoked its access', async () => {
    const session = await openSession();
    const { clock, owner, sessionId } = session;
    await owner.revoke(sessionId, { role: 'agent_b' });
    expect(await due(session)).toEqual([]);
    clock.advance(14 * MINUTE);
    expect(await due(session)).toEqual([]);
    clock.advance(MINUTE);
    expect(await due(session)).toContain('AGENT_ABSENT:agent_b:1');
  });
});
