import { type Agent, describeOperations, type OperationReference } from '@parley/core';
import fc from 'fast-check';
import { createSessionSchema } from '../support/create-session-schema.ts';
import { mutated } from './mutated-input.ts';
import { textChange } from './mutated-text.ts';
import { validInput } from './valid-input.ts';

/** A call of an operation over one transport. `toWire` fills in the ids and tokens of the run. */
export interface FuzzCall {
  readonly door: 'REST' | 'MCP' | 'path token' | 'owner';
  /** The operation, or null if the owner creates a session. */
  readonly operation: OperationReference | null;
  /** The tool name of `tools/call`: the name of the operation, or an older name that moderators may use. */
  readonly tool: string;
  readonly role: Agent;
  readonly session: 'own' | 'other' | string;
  readonly input: unknown;
  readonly change: (text: string) => string;
  readonly key: string | null;
}

const { agents, owner } = describeOperations();
const ENDINGS = new Set(['end', 'revoke', 'pause', 'stopModerator']);

const OLDER_NAMES: Readonly<Record<string, string>> = {
  get_moderator_findings: 'list_findings',
  ask_agent: 'ask_agents',
  withdraw_question: 'withdraw_intervention',
  submit_moderator_finding: 'raise_finding',
};

/** Usually selects a role that may call the operation, so that most calls pass the access check. */
function rolesFor({ access: { builder, moderator } }: OperationReference): fc.Arbitrary<Agent> {
  return fc.oneof(
    { weight: builder === undefined ? 1 : 4, arbitrary: fc.constantFrom<Agent>('agent_a', 'agent_b') },
    { weight: moderator === undefined ? 1 : 4, arbitrary: fc.constant<Agent>('moderator') },
  );
}

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
    tool: toolOf(operation?.name ?? ''),
    role: operation ? rolesFor(operation) : fc.constant<Agent>('agent_a'),
    session,
    input: mutated(validInput(operation?.input ?? createSessionSchema)),
    change: textChange,
    key,
  });

const toolOf = (name: string): fc.Arbitrary<string> => fc.constantFrom(name, name, OLDER_NAMES[name] ?? name);

/** Generates calls of every operation over each of its transports. Calls that end a session are rare. */
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
