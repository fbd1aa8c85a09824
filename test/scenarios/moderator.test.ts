import type { JoinedAgents, Json, StepResult } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { MODERATED_PART, STOPPED, SUBJECTS } from './expected/moderated-payment-capture.ts';
import { readFeed, readOwnersTranscript, readTranscript } from './support/readings.ts';
import { openMemory } from './support/stores.ts';
import { loadStory, MODERATED } from './support/stories.ts';
import { moderatorOf, openWorld, playIn, type World } from './support/world.ts';

async function playModerated(look: (played: StepResult, world: World) => void | Promise<void> = () => {}) {
  const world = await openWorld(await openMemory(), 'in process');
  onTestFinished(() => world.close());
  const cast: JoinedAgents = await playIn(world, await loadStory(MODERATED), (played) => look(played, world));
  return { world, cast, moderator: moderatorOf(cast) };
}

const kindsOf = (messages: readonly Json[]): string[] => messages.map(({ from, kind }) => `${from} ${kind}`);

const listIn = (answer: Json, member: string): Json[] => {
  const value = answer[member];
  return Array.isArray(value) ? value : [];
};

test('the transcript of a moderated session tells who said what, and the builders read no advice', async () => {
  const { world, cast } = await playModerated();
  const seen = kindsOf(await readOwnersTranscript(world, cast.sessionId));
  const from = seen.indexOf('moderator intervention.opened');
  expect(seen.slice(from, seen.indexOf('owner contract.approved') + 1)).toEqual(MODERATED_PART);
  const advice = (kind: string): boolean => kind.includes('recommendation.');
  const seenByBuilder = kindsOf(await readTranscript(cast.agents.agent_a));
  expect(seenByBuilder).toEqual(seen.filter((kind) => !advice(kind)));
  expect(seen.filter(advice)).toEqual(['moderator recommendation.made', 'owner recommendation.answered']);
  expect(kindsOf(await readTranscript(moderatorOf(cast)))).toEqual(seen);
});

/**
 * Kinds of events that an answer to a call with `brief` counts instead of containing: the moderator's own events, and
 * events without a text for the moderator.
 */
const COUNTED = [
  'action.completed',
  'action.fulfilled',
  'attempt.started',
  'decision.accepted',
  'decision.proposed',
  'evidence.posted',
  'evidence.submitted',
  'finding.raised',
  'finding.resolved',
  'hold.opened',
  'intervention.acknowledged',
  'intervention.opened',
  'moderator_review.submitted',
  'preflight.submitted',
  'question.answered',
  'question.asked',
  'receipt.confirmed',
  'recommendation.made',
];

test('the moderator takes in each event with words once and in order, to the end of the session', async () => {
  const taken: Json[][] = [];
  const { cast, moderator } = await playModerated(({ step, result }) => {
    if (step.call === 'take_in_events') taken.push(listIn(result, 'events'));
  });
  expect(taken).toHaveLength(8);
  const whole = await readFeed(moderator);
  const ids = new Set(taken.flat().map(({ id }) => id));
  expect(taken.flat()).toEqual(whole.filter(({ id }) => ids.has(id)));
  const leftOut = whole.filter(({ id }) => !ids.has(id)).map(({ kind }) => String(kind));
  expect([...new Set(leftOut)].sort()).toEqual(COUNTED);
  const subjects = whole.map(({ kind, subject }) => `${kind} ${Object(subject).type} ${Object(subject).id}`);
  expect(subjects.filter((subject) => /hold|finding|recommendation|moderator_review/.test(subject))).toEqual(SUBJECTS);
  expect(taken.flat().at(-1)).toMatchObject({
    kind: 'session.ended',
    subject: { type: 'session', id: cast.sessionId },
  });
});

test('the hold and the request for changes block from where they are said to where they are settled', async () => {
  const stopped: string[] = [];
  await playModerated(async ({ step, part, sessionId }, { owner }) => {
    if (part !== 'contract' || step.by === 'owner') return;
    const { state } = await owner.call('view', sessionId, {});
    const codes = listIn(Object(state).blockers, 'first').map(({ code }) => String(code));
    const moderators = codes.filter((code) => code === 'HOLD_ACTIVE' || code.startsWith('MODERATOR_'));
    stopped.push([step.call, ...moderators].join(' '));
  });
  expect(stopped.slice(stopped.findIndex((line) => line.startsWith('submit_moderator_finding')))).toEqual(STOPPED);
  expect(stopped.filter((line) => line.includes(' '))).toEqual(STOPPED.filter((line) => line.includes(' ')));
});

test('at its end nothing is due from the moderator, and all of its records are closed', async () => {
  const { world, cast, moderator } = await playModerated();
  expect(await moderator('get_moderator_status', {})).toMatchObject({
    status: 'ENDED',
    permissions: ['ask', 'find', 'hold', 'review', 'recommend'],
    pending_actions: [],
    active_holds: [],
    open_findings: [],
    open_questions: [],
  });
  expect(await world.owner.call('view', cast.sessionId, {})).toMatchObject({
    holds: [{ hold_id: 'h_1', finding_id: 'f_3', status: 'RELEASED', released: { cause: 'FINDING_CLOSED' } }],
    moderator_reviews: [
      { revision_id: 'r_2', verdict: 'REQUEST_CHANGES', outdated: true },
      { revision_id: 'r_3', verdict: 'APPROVE', outdated: false },
    ],
    recommendations: [{ recommendation_id: 'rec_1', recommendation: 'PROCEED', answer: { decision: 'ACCEPT' } }],
    moderator: { active: true, stopped: false, entitled: true },
  });
  const due = listIn(await world.owner.call('view', cast.sessionId, {}), 'actions').filter(
    ({ due_to }) => due_to === 'moderator',
  );
  expect(due.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'CHECK_ANSWER COMPLETED',
    'CHECK_ANSWER COMPLETED',
    'REVIEW_REVISION COMPLETED',
    'ASSESS_RESPONSE COMPLETED',
    'ADVISE_DEPLOYMENT COMPLETED',
  ]);
});
