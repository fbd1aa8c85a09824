import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { finds, findsAndHolds, recommends, stopped } from '../../moderation.ts';
import { certified, declared, deployed, play, ready, received, releasable } from '../../story.ts';
import { withoutRoute } from './without-route.ts';

/** Adds a hold on a non-blocking finding to which the author has responded. */
const hold = (past: readonly PastEvent[]): PastEvent[] =>
  play(past, [
    finds({ ...findsAndHolds[2], blocking: false }),
    ['agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'It is there.' }],
  ]);

const instruction = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b' | 'owner') =>
  role === 'owner'
    ? given(past).when('view', {}, 'owner').reply().state.instruction
    : withoutRoute(given(past).when('read_session_state', {}, role).reply().instruction);

const WAIT = 'wait_for_my_turn';
const STOPS_THE_BUILD = 'Both agents are ready. Wait until hold h_1 on finding f_1 is released: it stops the build.';
const CHECK_OPEN =
  'Wait. The certification check NO_ACTIVE_HOLD does not hold yet, and no call of yours can change that.';

describe('while a hold stands, a builder', () => {
  test.each([
    [
      'waits for the moderator in CONTRACT',
      certified,
      'Wait for the moderator to remove the blocker HOLD_ACTIVE on h_1.',
    ],
    ['waits in READINESS once both are ready', ready, STOPS_THE_BUILD],
    ['waits in VERIFY once all has passed', releasable, CHECK_OPEN],
    ['waits in RELEASE', deployed, CHECK_OPEN],
  ])('%s', (_what, past, text) => {
    for (const role of ['agent_a', 'agent_b'] as const)
      expect(instruction(hold(past), role)).toEqual({ tool: WAIT, text });
  });

  test.each([
    ['in CONTRACT', [...hold(certified), stopped], 'Wait for the owner to remove the blocker HOLD_ACTIVE on h_1.'],
    ['in READINESS', [...hold(ready), stopped], STOPS_THE_BUILD],
  ])('waits for the owner if the moderator is stopped: %s', (_what, past, text) => {
    expect(instruction(past, 'agent_b')).toEqual({ tool: WAIT, text });
  });

  test('names other work while one part is stopped', () => {
    expect(instruction(hold(received), 'agent_a').tool).toBe('submit_readiness');
    expect(instruction(hold(declared), 'agent_a').tool).toBe('verify_start_attempt');
  });
});

describe('while a hold stands, the owner', () => {
  test.each([
    ['READINESS, both ready', ready],
    ['VERIFY, all passed', releasable],
    ['RELEASE', deployed],
  ])('may release it: %s', (_what, past) => {
    const { tool, text } = instruction(hold(past), 'owner');
    expect(tool).toBe('releaseHold');
    expect(text).toContain('h_1');
    expect(text).toContain('f_1');
  });

  test('waits for the moderator in CONTRACT, and has to release the hold once no moderator can act', () => {
    const { state, duties } = given(hold(certified)).when('view', {}, 'owner').reply();
    expect(state.instruction.tool).toBe(null);
    expect(duties.map(({ role }) => role)).toEqual(['moderator']);
    expect(instruction([...hold(certified), stopped], 'owner')).toMatchObject({ tool: 'releaseHold' });
  });

  test('authorizes and approves once it is released', () => {
    const release = (past: readonly PastEvent[]) =>
      play(hold(past), [['moderator', 'release_hold', { hold_id: 'h_1' }]]);
    expect(instruction(release(certified), 'owner').tool).toBe('approveContract');
    expect(instruction(release(ready), 'owner').tool).toBe('authorize');
    expect(instruction(release(releasable), 'owner').tool).toBe('authorize');
  });
});

describe('a recommendation that waits', () => {
  const made = play([], [recommends()]);

  test('waits for an answer of the owner', () => {
    expect(instruction(made, 'owner')).toMatchObject({
      tool: 'respondRecommendation',
      text: expect.stringContaining('rec_1'),
    });
    expect(instruction(play(made, [recommends('PROCEED')]), 'owner').text).toContain('rec_1');
  });

  test('is no longer named once it is answered', () => {
    const past = play(made, [['owner', 'respondRecommendation', { recommendation_id: 'rec_1', decision: 'REJECT' }]]);
    expect(instruction(past, 'owner').tool).not.toBe('respondRecommendation');
  });

  test('does not change the instruction of a builder', () => {
    for (const role of ['agent_a', 'agent_b'] as const) expect(instruction(made, role)).toEqual(instruction([], role));
  });
});
