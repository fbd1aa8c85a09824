import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { entitled, invitedAgain, judges, restored, revoked, stopped } from '../moderation.ts';
import { paused } from '../past.ts';
import { certified, play } from '../story.ts';

const objected = play(certified, [judges('REQUEST_CHANGES')]);
const overrides = ['owner', 'overrideReview', { role: 'moderator', reason: 'Known.' }] as const;

const codes = (past: readonly PastEvent[]) =>
  given([...past, paused])
    .when('list_blockers', {}, 'agent_a')
    .reply()
    .blockers.map(({ code, responsible }) => `${code} ${responsible}`);
const OBJECTION = 'MODERATOR_REVIEW_REQUESTS_CHANGES agent_a';

describe('a request for changes of the moderator', () => {
  test('blocks the approval, and the author removes it', () => {
    expect(
      given(objected).when('approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }, 'owner').refusal(),
    ).toMatchObject({
      error: 'NOT_CERTIFIED',
      blockers: [
        {
          code: 'MODERATOR_REVIEW_REQUESTS_CHANGES',
          record: { type: 'review', id: 'r_1/moderator' },
          responsible: 'agent_a',
          resolution: { tool: 'submit_contract', payload: { expected_parent_id: 'r_1' } },
        },
      ],
    });
  });

  test.each([
    ['stands by itself', [], [OBJECTION]],
    ['is lifted while the moderator is stopped', [stopped], []],
    ['is back once it is restored', [stopped, restored], [OBJECTION]],
    ['is lifted while the owner has no moderators', [entitled(false)], []],
    ['is back once the owner has moderators again', [entitled(false), entitled(true)], [OBJECTION]],
    ['is lifted while one of the two reasons is left', [stopped, entitled(false), entitled(true)], []],
    ['stands when the access of the moderator is revoked', [revoked], [OBJECTION]],
    ['stands when another moderator comes', [revoked, invitedAgain], [OBJECTION]],
  ] as const)('%s', (_what, events, expected) => {
    expect(codes([...objected, ...events])).toEqual(expected);
  });

  test('lets the owner approve while the moderator is stopped', () => {
    given([...objected, stopped])
      .when('approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }, 'owner')
      .reply();
  });

  test('no longer blocks once it is overridden, whatever happens to the moderator', () => {
    const past = play(objected, [overrides]);
    expect(codes(past)).toEqual([]);
    expect(codes([...past, stopped, restored])).toEqual([]);
  });
});
