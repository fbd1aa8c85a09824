import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import { findsAndHolds } from '../moderation.ts';
import { turnPosted } from '../past.ts';
import { play, submitted } from '../story.ts';

const waits = (past: readonly PastEvent[], options: GivenOptions = {}) =>
  given(past, options).when('view', {}, 'owner').reply().waits;

const raised = (role: 'agent_a' | 'moderator', quota: 'events' | 'revisions', times: number) =>
  Array.from({ length: times }, () => ['owner', 'raiseQuota', { role, quota }] as const);

const turns = (count: number): PastEvent[] => Array.from({ length: count }, (_, index) => turnPosted('agent_a', index));

const sentBack = (quotas: NonNullable<GivenOptions['quotas']>): PastEvent[] =>
  play(submitted, [['owner', 'requestChanges', { reason: 'Name the error.' }]], { quotas });

const asks = (text: string) => ['moderator', 'ask_agent', { text }] as const;

/** A wait about the quota with this id: its role and its name. */
function wait(kind: string, id: string, blocking: boolean, text: string) {
  const [role, quota] = id.split('/');
  const settled = { operation: 'raiseQuota', payload: { role, quota } };
  const since = '2026-01-05T09:00:00.000Z';
  const record = { type: 'quota', id };
  return { wait_id: `${kind}:${id}`, kind, record, ...settled, text, blocking, since, from: null, said: null };
}

const REVISIONS = 'agent_a has used 1 of its 1 revisions: raise the quota if the work needs more.';
const CASES: [string, readonly PastEvent[], NonNullable<GivenOptions['quotas']>, ReturnType<typeof wait>][] = [
  [
    'a quota of which a fifth is left',
    turns(3),
    { events: 5 },
    wait(
      'QUOTA_LOW',
      'agent_a/events',
      false,
      'agent_a has used 4 of its 5 events: raise the quota if the work needs more.',
    ),
  ],
  [
    'an agent that can write nothing more',
    [turnPosted('agent_a', 0, { summary: 'x'.repeat(2_000_000) })],
    { bytes: 2_000_000 },
    wait(
      'QUOTA_EXHAUSTED',
      'agent_a/bytes',
      true,
      'agent_a has used 1.9 of its 1.9 MiB of text, and all its writes are refused: raise the quota if the work needs more.',
    ),
  ],
  [
    'an author without another revision',
    sentBack({ revisions: 1 }),
    { revisions: 1 },
    wait('QUOTA_EXHAUSTED', 'agent_a/revisions', true, REVISIONS),
  ],
  [
    'an author without another revision that nobody waits for',
    submitted,
    { revisions: 1 },
    wait('QUOTA_EXHAUSTED', 'agent_a/revisions', false, REVISIONS),
  ],
  [
    'a moderator that can write nothing more',
    turns(1),
    { events: 1 },
    wait(
      'QUOTA_EXHAUSTED',
      'moderator/events',
      false,
      'moderator has used 1 of its 1 events, and all its writes are refused: raise the quota if the work needs more.',
    ),
  ],
];

const find = (past: readonly PastEvent[], options: GivenOptions, id: string) =>
  waits(past, options).find(({ wait_id }) => wait_id === id);

describe('the owner is told of', () => {
  test.each(CASES)('%s', (_what, past, quotas, expected) => {
    expect(find(past, { quotas }, expected.wait_id)).toEqual(expected);
  });

  test.each(CASES)('%s until its operation with its payload settles it', (_what, past, quotas, expected) => {
    const { operation, payload, wait_id } =
      find(past, { quotas }, expected.wait_id) ?? expect.fail('It does not wait.');
    const after = play(past, [['owner', operation as OperationName, payload]], { quotas });
    expect(find(after, { quotas }, wait_id)).toBeUndefined();
  });

  test('nothing else', () => {
    expect(waits(turns(3), { quotas: { events: 6 } })).toEqual([]);
  });
});

describe('where a quota cannot be raised any further', () => {
  test('the owner ends the session of a builder that can write nothing more', () => {
    const options = { quotas: { events: 1 } };
    const past = play(turns(3), raised('agent_a', 'events', 1), options);
    const [first] = waits(past, options);
    expect(first).toMatchObject({
      wait_id: 'QUOTA_EXHAUSTED:agent_a/events',
      operation: 'end',
      payload: { end_reason: 'CANCELLED' },
      text: 'agent_a has used 4 of its 4 events, and all its writes are refused: the quota cannot be raised further; end the session.',
      blocking: true,
    });
    expect(waits(play(past, [['owner', 'end', { end_reason: 'CANCELLED' }]], options), options)).toEqual([]);
  });

  test('the owner appoints the other builder in place of an author without another revision', () => {
    const quotas = { revisions: 1 };
    const again = (parent: string) =>
      ['agent_a', 'submit_contract', { contract: {}, expected_parent_id: parent, reason: 'Again.' }] as const;
    const past = play(submitted, [...raised('agent_a', 'revisions', 3), again('r_1'), again('r_2'), again('r_3')], {
      quotas,
    });
    const [first] = waits(past, { quotas });
    expect(first).toMatchObject({
      wait_id: 'QUOTA_EXHAUSTED:agent_a/revisions',
      operation: 'appointAuthor',
      payload: { candidate: 'agent_b' },
      text: 'agent_a has used 4 of its 4 revisions: the quota cannot be raised further; appoint agent_b as Contract Author, or end the session.',
      blocking: true,
    });
    const appointed = play(past, [['owner', 'appointAuthor', { candidate: 'agent_b' }]], { quotas });
    const { instruction } = given(appointed, { quotas }).when('read_session_state', {}, 'agent_b').reply();
    expect(instruction.tool).toBe('patch_contract');
  });

  test('the owner stops a moderator that can no longer settle what it opened', () => {
    const options = { quotas: { events: 12 } };
    const past = play(
      submitted,
      [
        findsAndHolds,
        ...raised('moderator', 'events', 3),
        ...Array.from({ length: 42 }, (_, index) => asks(`Who undoes step ${index}?`)),
      ],
      options,
    );
    expect(find(past, options, 'QUOTA_EXHAUSTED:moderator/events')).toMatchObject({
      operation: 'stopModerator',
      payload: {},
      text: 'moderator has used 48 of its 48 events, and all its writes are refused: the quota cannot be raised further; stop the moderator and settle its open records yourself.',
      blocking: true,
    });
    const stopped = play(past, [['owner', 'stopModerator']], options);
    expect(find(stopped, options, 'BLOCKER:h_1')).toMatchObject({
      operation: 'releaseHold',
      payload: { hold_id: 'h_1', reason: '<your reason>' },
    });
    expect(find(stopped, options, 'QUOTA_EXHAUSTED:moderator/events')).toMatchObject({ operation: 'view' });
  });
});
