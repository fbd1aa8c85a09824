import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { finds, found, onHold, respondsTo, reviewed } from '../moderation.ts';
import { play, submitted } from '../story.ts';

const input = { finding_id: 'f_1', reason: 'Not without a rollback.' };
const request = (past = found, changes: Partial<typeof input> = {}) =>
  given(past).when('request_hold', { ...input, ...changes }, 'moderator');
const opened = {
  kind: 'hold.opened',
  actor: 'moderator',
  data: { hold_id: 'h_1', finding_id: 'f_1', reason: 'Not without a rollback.' },
} as const;

describe('request_hold', () => {
  test.each([
    ['the moderator', found],
    ['the Technical Reviewer', reviewed],
    ['the moderator, answered', play(found, [respondsTo('f_1')])],
    ['the moderator that does not block', play(submitted, [finds({ blocking: false })])],
  ])('opens a hold on a finding of %s', (_raiser, past) => {
    request(past)
      .thenEvents(opened)
      .thenReply({
        hold: {
          hold_id: 'h_1',
          finding_id: 'f_1',
          status: 'ACTIVE',
        },
      });
  });

  test('answers the same request again with the active hold', () => {
    expect(request(onHold).thenEvents().reply().hold).toEqual({
      hold_id: 'h_1',
      finding_id: 'f_1',
      status: 'ACTIVE',
    });
  });

  test('refuses another reason while a hold is active', () => {
    request(onHold, { reason: 'Another.' }).thenFails('HOLD_ACTIVE', {
      hold_ids: ['h_1'],
      hint: 'Do not request another hold on this finding: the hold in hold_ids already stops the approval and every authorization.',
    });
  });

  test('opens one hold for each finding', () => {
    const past = play(onHold, [finds({ text: 'Nothing undoes a failed migration.' })]);
    expect(request(past, { finding_id: 'f_2' }).reply().hold).toMatchObject({ hold_id: 'h_2', finding_id: 'f_2' });
  });

  test('opens another hold once the first is released', () => {
    const past = play(onHold, [['moderator', 'release_hold', { hold_id: 'h_1' }]]);
    expect(request(past).reply().hold).toMatchObject({ hold_id: 'h_2', finding_id: 'f_1', status: 'ACTIVE' });
  });

  test.each([
    ['RESOLVED', ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }]],
    ['WITHDRAWN', ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }]],
    ['OVERRIDDEN', ['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'Known.' }]],
  ] as const)('refuses a finding that is %s', (status, close) => {
    request(play(found, [close])).thenFails('FINDING_CLOSED', { status });
  });

  test('refuses an unknown finding', () => {
    request(submitted).thenFails('UNKNOWN_RECORD', { record: { type: 'finding', id: 'f_1' } });
  });
});
