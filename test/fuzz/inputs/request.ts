import { type Agent, describeOperations, type OperationReference } from '@parley/core';
import fc from 'fast-check';
import { createSessionSchema } from '../stage/create-session-schema.ts';
import { mutated } from './mutated-input.ts';
import { textChange } from './mutated-text.ts';
import { validInput } from './valid-input.ts';

/** A call of one operation through one door, with nothing in it that belongs to one run only. */
export interface FuzzCall {
  readonly door: 'REST' | 'MCP' | 'path token' | 'owner';
  /** Null for the owner's new session. */
  readonly operation: OperationReference | null;
  readonly role: Agent;
  readonly session: 'own' | 'other' | string;
  readonly input: unknown;
  readonly change: (text: string) => string;
  readonly key: string | null;
}

const { agents, owner } = describeOperations();
const ROLES = ['agent_a', 'agent_b', 'agent_a', 'agent_b', 'moderator'] as const;
const ENDINGS = new Set(['end', 'revoke', 'pause']);

const session = fc.oneof(
  { weight: 30, arbitrary: fc.constant('own') },
  { weight: 1, arbitrary: fc.constant('other') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => `x${text}`) },
);

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('key-1', 'key-2', '"key-1"') },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }).map((text) => text.replace(/[^\x20-\x7e]/g, '~')) },
);

const callOf = (doors: readonly FuzzCall['door'][], operation: FuzzCall['operation']): fc.Arbitrary<FuzzCall> =>
  fc.record({
    door: fc.constantFrom(...doors),
    operation: fc.constant(operation),
    role: fc.constantFrom(...ROLES),
    session,
    input: mutated(validInput(operation?.input ?? createSessionSchema)),
    change: textChange,
    key,
  });

/** Each operation through each of its doors; what ends a session is rare, so that there is a session to talk in. */
export const fuzzCall: fc.Arbitrary<FuzzCall> = fc.oneof(
  ...agents.map((operation) => ({ weight: 10, arbitrary: callOf(doorsOf(operation), operation) })),
  ...owner.map((operation) => ({
    weight: ENDINGS.has(operation.name) ? 1 : 5,
    arbitrary: callOf(['owner'], operation),
  })),
  { weight: 3, arbitrary: callOf(['owner'], null) },
);

function doorsOf({ route, access }: OperationReference): readonly FuzzCall['door'][] {
  if (access.anyone) return ['REST'];
  return route === null ? ['MCP', 'path token'] : ['REST', 'REST', 'MCP', 'path token'];
}
