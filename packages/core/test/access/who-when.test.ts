import { describe, expect, test } from 'vitest';
import { operations } from '../../src/areas/registry.ts';
import { effectOf } from '../../src/kernel/operation/operation.ts';
import { type GivenOptions, given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import { asksBuilders, found, reviewed } from '../moderation.ts';
import { ended, inPhase, paused, taskAssigned } from '../past.ts';
import { building, play } from '../story.ts';

const PLANS = 'PLANNING CONTRACT';
const VERIFIES = 'VERIFY RELEASE';
const EVER = 'PLANNING CONTRACT READINESS VERIFY RELEASE';

/**
 * The writes of agents: the phases in which each works, and the statuses other than ACTIVE in which it works; `PAUSED*` is for the
 * moderator alone. `registry.test.ts` has the scope or permission of each.
 */
const WRITES: readonly (readonly [name: string, phases: string, statuses: string])[] = [
  ['ack_events', EVER, 'DRAFT PAUSED ENDED'],
  ['post_turn', PLANS, ''],
  ['post_evidence', PLANS, ''],
  ['answer_question', EVER, 'DRAFT PAUSED'],
  ['submit_decision', PLANS, ''],
  ['accept_decision', PLANS, ''],
  ['reject_decision', PLANS, ''],
  ['withdraw_decision', PLANS, ''],
  ['elect_contract_author', PLANS, ''],
  ['submit_contract', PLANS, ''],
  ['patch_contract', 'CONTRACT', ''],
  ['submit_final_review', 'CONTRACT', ''],
  ['submit_preflight', 'CONTRACT', ''],
  ['submit_finding', 'CONTRACT READINESS VERIFY RELEASE', ''],
  ['respond_finding', EVER, ''],
  ['resolve_finding', EVER, 'PAUSED*'],
  ['confirm_receipt', 'READINESS', ''],
  ['submit_readiness', 'READINESS', ''],
  ['verify_handshake', VERIFIES, ''],
  ['verify_start_attempt', VERIFIES, ''],
  ['verify_submit_evidence', VERIFIES, ''],
  ['verify_verify', VERIFIES, ''],
  ['verify_submit_fix', VERIFIES, ''],
  ['verify_attach', VERIFIES, ''],
  ['verify_gate', VERIFIES, ''],
  ['ack_intervention', EVER, 'DRAFT PAUSED'],
  ['answer_intervention', EVER, 'DRAFT PAUSED'],
  ['ack_action', EVER, 'DRAFT PAUSED'],
  ['complete_action', EVER, 'DRAFT PAUSED'],
  ['revalidate_contract', EVER, ''],
  ['submit_position', PLANS, ''],
  ['propose_revision', PLANS, ''],
  ['ask_agent', EVER, ''],
  ['withdraw_question', EVER, 'PAUSED*'],
  ['submit_moderator_finding', EVER, ''],
  ['request_hold', EVER, ''],
  ['release_hold', EVER, 'PAUSED*'],
  ['submit_contract_review', 'CONTRACT', ''],
  ['recommend_to_owner', EVER, 'PAUSED*'],
];

const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;
const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'] as const;

function sessionIn(status: (typeof STATUSES)[number], past: readonly PastEvent[] = []) {
  if (status === 'DRAFT') return given(past, { isStarted: false });
  if (status === 'PAUSED') return given([...past, paused]);
  return given(status === 'ENDED' ? [...past, ended] : past);
}

test('every write of an agent has its phases and statuses', () => {
  const declared = operations
    .filter(({ access, ...operation }) => effectOf(operation) === 'write' && !access.anyone)
    .map(({ name, phases = PHASES, worksWhilePaused, worksAfterEnd }) => [
      name,
      phases.join(' '),
      [
        ...(worksWhilePaused === true ? ['DRAFT', 'PAUSED'] : []),
        ...(worksWhilePaused === 'moderator' ? ['PAUSED*'] : []),
        ...(worksAfterEnd ? ['ENDED'] : []),
      ].join(' '),
    ]);
  expect(declared).toEqual(WRITES);
});

describe('a write', () => {
  const turn = (past: readonly PastEvent[]) => given(past).when('post_turn', { summary: 'A turn.' }, 'agent_a');

  test.each(PHASES)('is taken only in its phases: %s', (phase) => {
    const outcome = turn([inPhase(phase)]);
    if (phase === 'PLANNING' || phase === 'CONTRACT') outcome.reply();
    else outcome.thenFails('WRONG_PHASE', { phase, allowed_phases: ['PLANNING', 'CONTRACT'] });
  });

  const directed = play([], [['owner', 'direct', { targets: ['agent_b'], text: 'Keep the API.' }]]);
  const asked = play([], [asksBuilders()]);
  const task = [taskAssigned('act_1', 'agent_b'), taskAssigned('act_2', 'moderator')];
  const NOT_ACTIVE = 'SESSION_NOT_ACTIVE';
  const RESOLVED = { finding_id: 'f_1', outcome: 'RESOLVED' };

  /** For each status: `ok`, or the code of the refusal. */
  test.each<[OperationName, 'agent_b' | 'moderator', object, readonly PastEvent[], readonly string[]]>([
    ['submit_decision', 'agent_b', { topic: 'T', position: 'P' }, [], [NOT_ACTIVE, 'ok', NOT_ACTIVE, 'SESSION_ENDED']],
    ['ack_intervention', 'agent_b', { intervention_id: 'i_1' }, directed, ['ok', 'ok', 'ok', 'SESSION_ENDED']],
    ['complete_action', 'agent_b', { action_id: 'act_1' }, task, ['ok', 'ok', 'ok', 'SESSION_ENDED']],
    ['complete_action', 'moderator', { action_id: 'act_2' }, task, ['ok', 'ok', 'ok', 'SESSION_ENDED']],
    ['withdraw_question', 'moderator', { intervention_id: 'i_1' }, asked, [NOT_ACTIVE, 'ok', 'ok', 'SESSION_ENDED']],
    ['resolve_finding', 'moderator', RESOLVED, found, [NOT_ACTIVE, 'ok', 'ok', 'SESSION_ENDED']],
    ['resolve_finding', 'agent_b', RESOLVED, reviewed, [NOT_ACTIVE, 'ok', NOT_ACTIVE, 'SESSION_ENDED']],
    ['ack_events', 'moderator', { cursor: 4 }, task, ['ok', 'ok', 'ok', 'ok']],
  ])('is taken only in its statuses: %s of %s', (...[name, by, input, past, expected]) => {
    const codes = STATUSES.map((status) => {
      const outcome = sessionIn(status, past).when(name, input as never, by);
      try {
        outcome.reply();
        return 'ok';
      } catch {
        return outcome.refusal().error;
      }
    });
    expect(codes).toEqual(expected);
  });

  test('names the status that refuses it', () => {
    const turnIn = (status: (typeof STATUSES)[number]) =>
      sessionIn(status).when('post_turn', { summary: 'A turn.' }, 'agent_a');
    turnIn('PAUSED').thenFails('SESSION_NOT_ACTIVE', { status: 'PAUSED' });
    turnIn('ENDED').thenFails('SESSION_ENDED', { status: 'ENDED' });
  });
});

describe('a read', () => {
  /** Members without which a read is refused, or waits. */
  const INPUTS: Readonly<Record<string, object>> = {
    wait_for_my_turn: { wait: 0 },
    wait_for_activity: { wait_seconds: 0 },
    validate_contract_draft: { contract: {} },
    get_revision_diff: { revision_id: 'r_1' },
    fetch_artifact: { filename: 'contract.md' },
  };
  const reads = operations.flatMap(({ access, ...operation }) => {
    if (effectOf(operation) === 'write' || access.anyone) return [];
    return (['builder', 'moderator'] as const).flatMap((side) =>
      access[side] ? [[operation.name, side === 'builder' ? ('agent_b' as const) : side] as const] : [],
    );
  });

  test('is one of 32', () => {
    expect(reads).toHaveLength(32);
  });

  test.each(reads)('stores nothing in any status and phase: %s of %s', (name, by) => {
    const read = (session: ReturnType<typeof given>) => session.when(name, (INPUTS[name] ?? {}) as never, by);
    for (const status of STATUSES) read(sessionIn(status, building)).thenEvents();
    for (const phase of PHASES) read(given([...building, inPhase(phase)])).thenEvents();
  });
});

describe('a token', () => {
  /** The refusal of a call with a nonsensical input: INVALID_INPUT if the token may make the call. */
  const refusalOf = (name: string, by: 'agent_b' | 'moderator', options: GivenOptions = {}) => {
    const { error, required_scope, required_permission } = given([], options)
      .when(name as OperationName, { nonsense: true } as never, by)
      .refusal();
    return [error, required_scope ?? required_permission ?? ''].join(' ').trim();
  };
  const PERMISSIONS = ['ask', 'find', 'hold', 'review', 'recommend'] as const;

  test.each(operations.flatMap(({ name, access: { builder } }) => (builder ? [[name, builder] as const] : [])))(
    'of a builder is admitted to %s by the scope %s alone',
    (name, scope) => {
      expect(refusalOf(name, 'agent_b', { scopes: [scope] })).toBe('INVALID_INPUT');
      expect(refusalOf(name, 'agent_b', { scopes: ['ask_agent'] })).toBe(`INSUFFICIENT_SCOPE ${scope}`);
    },
  );

  test.each(operations.flatMap(({ name, access: { moderator } }) => (moderator ? [[name, moderator] as const] : [])))(
    'of a moderator is admitted to %s by the permission %s alone',
    (name, permission) => {
      if (permission === true) expect(refusalOf(name, 'moderator', { permissions: [] })).toBe('INVALID_INPUT');
      else {
        expect(refusalOf(name, 'moderator', { permissions: [permission] })).toBe('INVALID_INPUT');
        const permissions = PERMISSIONS.filter((other) => other !== permission);
        expect(refusalOf(name, 'moderator', { permissions })).toBe(`PERMISSION_DENIED ${permission}`);
      }
    },
  );

  /** `list_findings` is also an older name of a tool of the moderator. */
  test.each(
    operations.filter(
      ({ name, access: { anyone, builder, moderator } }) =>
        !anyone && !(builder && moderator) && name !== 'list_findings',
    ),
  )('of the other side cannot call $name', ({ name, access: { builder } }) => {
    if (builder) expect(refusalOf(name, 'moderator')).toBe('MODERATOR_FORBIDDEN');
    else expect(refusalOf(name, 'agent_b')).toBe('BUILDER_FORBIDDEN');
  });
});
