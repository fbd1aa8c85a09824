import { given, type PastEvent } from '../../src/testing/index.ts';
import { building } from '../story.ts';

/** The handshake of agent_b in these tests. */
export const INPUT = {
  service: 'stock-api',
  version: '1.0.0',
  commit: 'b'.repeat(40),
  environment: 'staging',
  ready: true,
  dependencies_healthy: true,
};

export const declare = (changes: object = {}, past: readonly PastEvent[] = building) =>
  given(past).when('verify_handshake', { ...INPUT, ...changes } as never, 'agent_b');

/** The events of a handshake, except events about actions. */
export const events = (changes: object, past: readonly PastEvent[]) =>
  declare(changes, past)
    .events()
    .filter(({ kind }) => !kind.startsWith('action.'));
