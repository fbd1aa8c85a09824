import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { declared, deployed, handshake, play, releasable } from '../../story.ts';
import { B_COMMIT, board, items, NEW_COMMIT, next, runOf, statuses } from '../../verify/builds.ts';
import { carriedByOwner, staleOf } from '../../verify/carries.ts';

const WORDS = 'A cancelled order keeps its units.';
const input = { stage: 'activation' as const, scenario_id: 'test-reserve', reason: WORDS };
const refuse = (past: readonly PastEvent[], changes: object = {}) =>
  given(past).when('refuseStep', { ...input, ...changes } as never, 'owner');
const waits = (past: readonly PastEvent[]) => given(past).when('view', {}, 'owner').reply().waits;
const refused = play(deployed, [['owner', 'refuseStep', input]]);

test('the executor reads in which message the reason is, once the defect is no longer open', () => {
  const waived = play(refused, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Known.' }]]);
  const [start] = given(waived).when('verify_next', {}, 'agent_a').reply().items;
  expect(start?.reason).toMatch(
    /The owner refused the activation for it: message \d+ says why \(read_messages, after \d+\)\./,
  );
});

describe('refuseStep', () => {
  describeOwner('refuseStep', { past: deployed, input, statuses: ['ACTIVE', 'PAUSED'] });

  test('opens a defect of the scenario with the reason, assigned to the side that answers for it', () => {
    const [opened] = refuse(deployed).events();
    expect(opened).toMatchObject({
      kind: 'defect.opened',
      actor: 'owner',
      data: {
        defect_id: 'def_1',
        scenario_id: 'test-reserve',
        attempt: 1,
        assigned_to: 'agent_b',
        refusal: { stage: 'activation', reason: WORDS },
      },
    });
    expect(refuse(deployed, { role: 'agent_a' }).reply().defect).toMatchObject({
      defect_id: 'def_1',
      status: 'OPEN',
      assigned_to: 'agent_a',
    });
  });

  test('stops the step until the fix has passed, and takes the step off the list of the owner', () => {
    expect(statuses(refused)).toEqual(['test-reserve FAILED', 'test-expiry PASSED']);
    expect(waits(refused)).toMatchObject([{ wait_id: 'BLOCKER:def_1', blocking: false }]);
    expect(given(refused).when('view', {}, 'owner').reply()).toMatchObject({
      movers: ['agent_b'],
      duties: [{ role: 'agent_b', text: 'fix def_1, on a new commit' }],
    });
    const { checks } = board(refused).certification;
    expect(checks.find(({ check }) => check === 'NO_OPEN_DEFECT')).toMatchObject({ ok: false });
    given(refused).when('authorize', { stage: 'activation' }, 'owner').thenFails('CERTIFICATION_INCOMPLETE');
  });

  test('tells the side what the owner refused and where the reason is, and the other whom it waits for', () => {
    expect(items(refused, 'agent_b')).toMatchObject([
      {
        tool: 'verify_handshake',
        reason: expect.stringContaining(
          'Defect def_1 of test-reserve is assigned to you: the owner refused the activation for it, read why in message',
        ),
      },
    ]);
    expect(given(refused).when('read_session_state', {}, 'agent_a').reply().instruction.text).toBe(
      'Wait. The next call is that of agent_b: verify_handshake, for defect def_1.',
    );
    const { messages } = given(refused).when('read_messages', {}, 'agent_b').reply();
    expect(messages.find(({ kind }) => kind === 'defect.opened')).toMatchObject({
      from: 'owner',
      body: { refusal: { stage: 'activation', reason: WORDS } },
    });
  });

  test('is met by a fix on a new commit, which moves the session back to VERIFY, and a pass', () => {
    const fixed = play(refused, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Frees them.' }],
    ]);
    expect(board(fixed).phase).toBe('VERIFY');
    expect(next(fixed, 'agent_a')).toEqual(['verify_start_attempt test-reserve']);
    const again = play(fixed, [...runOf('test-reserve', 'agent_a', 2), ...runOf('test-expiry', 'agent_b', 2)]);
    expect(board(again).certification.certified).toBe(true);
    expect(board(again).defects).toMatchObject([{ defect_id: 'def_1', status: 'CLOSED' }]);
    expect(waits(again)).toMatchObject([
      {
        kind: 'DEPLOYMENT',
        text: expect.stringContaining(
          'Every certification check holds, with the fix of def_1, for which you refused the activation: read them on the board, then authorize',
        ),
      },
    ]);
  });

  test('needs another commit than the one to which the refused pass was carried over', () => {
    const carried = play(staleOf('owner'), [carriedByOwner()]);
    const [opened] = refuse(carried, { stage: 'deployment' }).events();
    expect(opened).toMatchObject({ data: { commits: { agent_a: NEW_COMMIT, agent_b: B_COMMIT } } });
  });

  test('may be waived, after which the scenario runs again', () => {
    const waived = play(refused, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'I misread it.' }]]);
    expect(next(waived, 'agent_a')).toContain('verify_start_attempt test-reserve');
  });

  test('refuses the deployment in VERIFY', () => {
    expect(refuse(releasable, { stage: 'deployment' }).reply().defect).toMatchObject({ defect_id: 'def_1' });
    refuse(releasable).thenFails('INVALID_TRANSITION', { phase: 'VERIFY', allowed_phases: ['RELEASE'] });
    refuse(deployed, { stage: 'deployment' }).thenFails('INVALID_TRANSITION', {
      phase: 'RELEASE',
      allowed_phases: ['VERIFY'],
    });
  });

  test('needs a scenario that has passed, and a step that is not taken yet', () => {
    refuse(deployed, { scenario_id: 'test-9' }).thenFails('UNKNOWN_RECORD', {
      record: { type: 'scenario', id: 'test-9' },
    });
    expect(refuse(declared, { stage: 'deployment' }).refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'Scenario test-reserve is READY: only one that has passed can be refused.',
    });
    const activated = play(deployed, [['owner', 'authorize', { stage: 'activation' }]]);
    expect(refuse(activated).refusal()).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'The activation is authorized already.',
    });
    refuse(deployed, { reason: '' }).thenFails('INVALID_INPUT');
  });
});
