import { expect, test } from 'vitest';
import { toolFor } from '../../../src/agent.ts';
import { domain } from '../../../src/areas/domain.ts';
import type { SessionState } from '../../../src/areas/state.ts';
import { decideWrite, type WriteResult } from '../../../src/kernel/engine/decide-write.ts';
import { mintOnce } from '../../../src/kernel/engine/replies.ts';
import type { Call } from '../../../src/kernel/operation/host-port.ts';
import type { Caller } from '../../../src/kernel/operation/operation.ts';
import { prepareEvents } from '../../../src/kernel/session/append.ts';
import { openingEvents, tokenHashOf } from '../../../src/testing/opening-events.ts';
import { createTestClock, createTestEngine } from '../../../src/testing/test-engine.ts';

const clock = createTestClock();
const engine = createTestEngine(clock);
const SESSION = 'SessionOfTheWriteTests';

const turn = { summary: 'First.' };
const opened = (): SessionState => prepareEvents(domain, domain.empty(SESSION), openingEvents({}), clock.now()).state;

function decide(state: SessionState, call: Partial<Call<SessionState>>): WriteResult<SessionState> {
  const identify = (current: SessionState): Caller => domain.authenticate(current, tokenHashOf('agent_a'), clock.now());
  const absent = (): never => {
    throw new Error('The session is there.');
  };
  const base = { operation: toolFor('agent_a', 'post_turn'), sessionId: SESSION, identify, absent, holder: 'agent_a' };
  const full = { ...base, input: turn, ...call };
  return decideWrite({ engine, call: full, mint: mintOnce(engine, SESSION) }, { state, texts: new Map(), events: [] });
}

const keyed = (fingerprint: string) => ({ idempotency: { key: 'k', fingerprint } });

/** The state after the first turn of agent_a, posted with the idempotency key `k`. */
function posted(): SessionState {
  const result = decide(opened(), keyed('one'));
  if (result.outcome !== 'append') throw new Error('The first turn is stored.');
  return result.prepared.state;
}

test('append contains the events of decide and the state after them', () => {
  const result = decide(opened(), keyed('one'));
  expect(result).toMatchObject({
    outcome: 'append',
    state: { head: { seq: 5 } },
    caller: { role: 'agent_a' },
    prepared: { state: { head: { seq: 6 } }, events: [{ seq: 6, kind: 'turn.posted', actor: 'agent_a' }] },
  });
});

test('unchanged is for a decide that returns no events', () => {
  const state = opened();
  const owner = (): Caller => ({ role: 'owner' });
  const operation = { ...toolFor('agent_a', 'post_turn'), decide: () => [] };
  const result = decide(state, { operation, identify: owner });
  expect(result).toEqual({ outcome: 'unchanged', state, texts: new Map(), caller: { role: 'owner' }, warnings: [] });
});

test('replayed names the event of the first use, and decide does not run', () => {
  const operation = {
    ...toolFor('agent_a', 'post_turn'),
    decide: (): never => {
      throw new Error('A repeated key is not decided again.');
    },
  };
  expect(decide(posted(), { operation, ...keyed('one') })).toMatchObject({ outcome: 'replayed', first: { seq: 6 } });
});

test('refused contains the error of a check, of decide, or of a key used for another payload', () => {
  const outcome = (result: WriteResult<SessionState>) => [
    result.outcome,
    result.outcome === 'refused' ? result.refusal.code : undefined,
  ];
  const stranger = (state: SessionState): Caller => domain.authenticate(state, 'hash-of-no-token', clock.now());
  expect(outcome(decide(opened(), { identify: stranger }))).toEqual(['refused', 'UNAUTHORIZED']);
  expect(outcome(decide(posted(), {}))).toEqual(['refused', 'NOT_YOUR_TURN']);
  expect(outcome(decide(posted(), keyed('two')))).toEqual(['refused', 'IDEMPOTENCY_CONFLICT']);
});

test('an error that is not a ParleyError is thrown', () => {
  const identify = (): never => {
    throw new TypeError('broken');
  };
  expect(() => decide(opened(), { identify })).toThrow(TypeError);
});
