import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { found, onHold, respondsTo, reviewed } from '../../moderation.ts';
import { play } from '../../story.ts';

const input = { finding_id: 'f_1', reason: 'Known, and accepted.' };

describe('overrideFinding', () => {
  describeOwner('overrideFinding', { past: found, input, statuses: NOT_ENDED });

  test.each([
    ['the Technical Reviewer', reviewed],
    ['the moderator', found],
    ['the moderator, answered', play(found, [respondsTo('f_1')])],
  ])('closes a finding of %s, with the reason', (_raiser, past) => {
    const { finding } = given(past).when('overrideFinding', input, 'owner').reply();
    expect(finding).toMatchObject({ status: 'OVERRIDDEN', override_reason: 'Known, and accepted.' });
  });

  test('releases the hold on it in the same append', () => {
    expect(given(onHold).when('overrideFinding', input, 'owner').events().slice(0, 2)).toEqual([
      { kind: 'finding.overridden', actor: 'owner', data: input },
      {
        kind: 'hold.released',
        actor: 'system',
        data: { hold_id: 'h_1', finding_id: 'f_1', cause: 'FINDING_CLOSED' },
      },
    ]);
  });

  test('closes it for everybody', () => {
    const past = play(found, [['owner', 'overrideFinding', input]]);
    given(past).when('overrideFinding', input, 'owner').thenFails('FINDING_CLOSED', { status: 'OVERRIDDEN' });
    given(past)
      .when('resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }, 'moderator')
      .thenFails('FINDING_CLOSED', { status: 'OVERRIDDEN' });
    given(past)
      .when('respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'Added.' }, 'agent_a')
      .thenFails('FINDING_CLOSED', { status: 'OVERRIDDEN' });
    given(past)
      .when('request_hold', { finding_id: 'f_1', reason: 'Still.' }, 'moderator')
      .thenFails('FINDING_CLOSED', { status: 'OVERRIDDEN' });
  });

  test('refuses an unknown id', () => {
    given(found)
      .when('overrideFinding', { ...input, finding_id: 'f_2' }, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'finding', id: 'f_2' } });
  });

  test.each([
    ['left out', undefined],
    ['blank', ' '],
    ['too long', 'x'.repeat(2_001)],
  ])('refuses a reason that is %s', (_what, reason) => {
    const { issues } = given(found)
      .when('overrideFinding', { finding_id: 'f_1', reason } as never, 'owner')
      .refusal();
    expect(issues).toMatchObject([{ path: 'reason' }]);
  });
});
