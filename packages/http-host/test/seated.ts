import { type Agent, createMemoryStorage, createParley, type ParleyOptions } from '@parley/core';
import { onTestFinished } from 'vitest';
import { SESSION } from '../../../test/support/join-session.ts';

/**
 * Opens a started session in memory. Returns the tokens of both builders, and functions that make further invitation
 * codes and tokens.
 */
export async function seat(options: Partial<ParleyOptions> = {}) {
  const parley = await createParley({ storage: createMemoryStorage(), ...options });
  onTestFinished(() => parley.close());
  const owner = parley.owner('team');
  const { session_id } = await owner.createSession(SESSION);
  const sessionId = String(session_id);
  await owner.start(sessionId);
  const code = async (role: Agent, narrowed = {}) =>
    String((await owner.call('invite', sessionId, { role, ...narrowed })).code);
  const token = async (role: Agent, narrowed = {}) => (await parley.redeem({ code: await code(role, narrowed) })).token;
  return { parley, owner, sessionId, code, token, tokenA: await token('agent_a'), tokenB: await token('agent_b') };
}

/** A clock whose time changes only by `advance`. Its timers run in real time. */
export function createStandingClock(start = Date.parse('2026-11-21T09:00:00Z')) {
  let now = start;
  return {
    now: () => now,
    after: (ms: number, task: () => void) => {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
    advance: (ms: number) => {
      now += ms;
    },
  };
}
