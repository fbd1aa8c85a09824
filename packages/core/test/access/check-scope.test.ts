import { describe, expect, test } from 'vitest';
import { toolFor } from '../../src/agent.ts';
import { checkScope } from '../../src/areas/access/rules.ts';
import { domain } from '../../src/areas/domain.ts';
import type { SessionState } from '../../src/areas/state.ts';
import { prepareEvents } from '../../src/kernel/session/append.ts';
import { openingEvents, tokenHashOf } from '../../src/testing/opening-events.ts';

const NOW = Date.parse('2026-01-05T09:00:00.000Z');

const opened = (): SessionState =>
  prepareEvents(domain, domain.empty('SessionOfTheScopeTests'), openingEvents({}), NOW).state;

const holderOf = (role: 'agent_a' | 'moderator', tokenHash: string) => ({ role, tokenHash, expiresAt: NOW + 1_000 });

describe('checkScope', () => {
  test.each([
    ['agent_a', 'post_turn'],
    ['agent_a', 'read_task'],
    ['moderator', 'ask_agent'],
    ['moderator', 'read_task'],
  ] as const)('refuses a %s whose token is not in the state: %s', (role, tool) => {
    const [state, operation] = [opened(), toolFor(role, tool)];
    expect(() => checkScope(state, operation, holderOf(role, tokenHashOf(role)))).not.toThrow();
    expect(() => checkScope(state, operation, holderOf(role, 'hash-of-a-token-nobody-was-given'))).toThrow(
      expect.objectContaining({ code: 'UNAUTHORIZED', message: 'This service does not know this token.' }),
    );
  });

  test('refuses a builder an operation without a scope, and a moderator an operation without a permission', () => {
    const state = opened();
    const forModerator = toolFor('moderator', 'ask_agent');
    const forBuilder = toolFor('agent_a', 'post_turn');
    expect(() => checkScope(state, forModerator, holderOf('agent_a', tokenHashOf('agent_a')))).toThrow(
      expect.objectContaining({ code: 'BUILDER_FORBIDDEN' }),
    );
    expect(() => checkScope(state, forBuilder, holderOf('moderator', tokenHashOf('moderator')))).toThrow(
      expect.objectContaining({ code: 'MODERATOR_FORBIDDEN' }),
    );
  });
});
