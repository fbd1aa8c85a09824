import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../../src/testing/index.ts';
import { mapped, opened } from '../../happenings.ts';
import { held } from '../../held.ts';
import {
  answersQuestion,
  asksBuilders,
  finds,
  findsAndHolds,
  found,
  granted,
  judges,
  respondsTo,
  taken,
} from '../../moderation.ts';
import { actionCompleted, ended, paused, resumed, taskAssigned, turnPosted } from '../../past.ts';
import { certified, play, submitted } from '../../story.ts';
import { withoutRoute } from './without-route.ts';

const instruction = (past: readonly PastEvent[], options?: GivenOptions) =>
  withoutRoute(given(past, options).when('read_session_state', {}, 'moderator').reply().instruction);

const WAIT = { tool: 'wait_for_activity', text: 'Nothing is due from you. Wait for the next event.' };
const RESUME =
  'Nothing is due from you. Wait for the next event. Your pending actions must wait until the owner resumes the session.';
const REVIEW =
  'Review r_1: read get_final_plan (format markdown, the shortest that shows all of it), then give your verdict on its content_hash.';
const CHECK = 'Check the answer of agent_a to question i_1 with get_moderator_questions, then call complete_action.';
const ASSESS =
  'Read the response to your finding f_1 with get_moderator_findings, then resolve the finding if the response satisfies you.';
const task = taskAssigned('act_1', 'moderator');
const answered = play([], [asksBuilders(), answersQuestion('agent_a')]);
const responded = play(found, [respondsTo('f_1')]);
const ticked = [...submitted, actionCompleted('moderator', 'act_2')];
/** A certified contract with a hold on a non-blocking finding, so that only the hold stops the approval. */
const heldAlone = play(certified, [judges('APPROVE'), finds({ ...findsAndHolds[2], blocking: false })]);

type Case = readonly [state: string, past: readonly PastEvent[], tool: string | null, text: string];

const CASES: readonly Case[] = [
  [
    'unread events',
    [],
    'ack_events',
    'Read the events after 0 with wait_for_activity (GET events), then acknowledge them with ack_events up to 5.',
  ],
  [
    'some unread events',
    [...taken([]), turnPosted('agent_a', 0)],
    'ack_events',
    'Read the events after 5 with wait_for_activity (GET events), then acknowledge them with ack_events up to 7.',
  ],
  ['everything read', taken([]), WAIT.tool, WAIT.text],
  ['only hidden events since', [...taken([]), taskAssigned('act_1', 'agent_a')], WAIT.tool, WAIT.text],
  ['a revision to review, before unread events', submitted, 'submit_contract_review', REVIEW],
  ['a revision to review, everything read', taken(submitted), 'submit_contract_review', REVIEW],
  ['a revision that it reviewed', taken(play(submitted, [judges('COMMENT')])), WAIT.tool, WAIT.text],
  ['a revision, without the permission to review it', taken([...submitted, granted('ask')]), WAIT.tool, WAIT.text],
  [
    'a review ticked off by hand',
    taken(ticked),
    'submit_contract_review',
    `${REVIEW} You completed act_2 with complete_action, but this task is still due.`,
  ],
  ['an answer to check', taken(answered), 'complete_action', CHECK],
  ['an answer that it checked', taken([...answered, actionCompleted('moderator', 'act_1')]), WAIT.tool, WAIT.text],
  ['a response to assess', taken(responded), 'resolve_finding', ASSESS],
  ['a finding that waits for the author', taken(found), WAIT.tool, WAIT.text],
  [
    'a task of the owner',
    taken([task]),
    'complete_action',
    'Action act_1 (OWNER_TASK) is due from you. Do what its text in pending_actions says, then call complete_action.',
  ],
  ['a certified contract', taken(play(certified, [judges('APPROVE')])), WAIT.tool, WAIT.text],
  [
    'its hold, which is all that stops the approval',
    taken(heldAlone),
    'release_hold',
    'HOLD_ACTIVE on h_1: Release hold h_1 with release_hold when finding f_1 no longer requires it. Resolving f_1 releases the hold too.',
  ],
  ['its hold, on a finding that waits for the author', taken(play(certified, [findsAndHolds])), WAIT.tool, WAIT.text],
  ['its hold, PAUSED', taken([...heldAlone, paused]), WAIT.tool, WAIT.text],
  [
    'PAUSED, unread',
    [paused],
    'ack_events',
    'Read the events after 0 with wait_for_activity (GET events), then acknowledge them with ack_events up to 6.',
  ],
  ['PAUSED, everything read', taken([paused]), WAIT.tool, WAIT.text],
  ['PAUSED with a revision to review', taken([...submitted, paused]), WAIT.tool, RESUME],
  ['PAUSED with a response to assess', taken([...responded, paused]), 'resolve_finding', ASSESS],
  [
    'PAUSED with a response whose action it ticked off by hand',
    taken([...responded, actionCompleted('moderator', 'act_4'), paused]),
    'resolve_finding',
    `${ASSESS} You completed act_4 with complete_action, but this task is still due.`,
  ],
  ['PAUSED with an answer to check', taken([...answered, paused]), 'complete_action', CHECK],
  ['resumed with a revision to review', taken([...submitted, paused, resumed]), 'submit_contract_review', REVIEW],
  [
    'ENDED',
    taken([...submitted, ended]),
    null,
    'The session has ended: there is nothing left to do. You can still read.',
  ],
  ['ENDED with a task', [task, ended], null, 'The session has ended: there is nothing left to do. You can still read.'],
];

describe('the instruction of the moderator', () => {
  test.each(CASES)('%s', (_state, past, tool, text) => {
    expect(instruction(past)).toEqual({ tool, text });
  });

  test('waits before the session starts, and completes a task even then', () => {
    expect(instruction([], { isStarted: false })).toEqual(WAIT);
    expect(instruction([task], { isStarted: false })).toMatchObject({ tool: 'complete_action' });
  });
});

test('a wait that the instruction names holds in a paused session, though a revision is to be reviewed', async () => {
  const session = await opened(mapped);
  const { owner, sessionId, moderator } = session;
  await owner.pause(sessionId, { reason: 'Lunch.' });
  const { head, pending_actions } = await moderator.call('get_moderator_status');
  await moderator.call('ack_events', { cursor: head });
  expect(pending_actions.map(({ type }) => type)).toEqual(['REVIEW_REVISION']);
  expect((await moderator.call('read_session_state')).instruction).toMatchObject({
    tool: 'wait_for_activity',
    text: RESUME,
  });
  const polls = [
    moderator.call('wait_for_activity', { wait_seconds: 25 }),
    moderator.call('get_session_events', { wait: 25 }),
    moderator.call('read_session_state', { wait: 25 }),
  ];
  await held(session, polls.length);
  await owner.resume(sessionId);
  for (const poll of polls) expect(await poll).toMatchObject({ timed_out: false });
});
