import { given, type PastEvent } from '../src/testing/index.ts';
import { SAMPLE_HASH } from './contract/sample-contract.ts';
import { type Call, play, submitted } from './story.ts';

/** Calls for `play`, and past events from which most tests of moderation start. */

/** A finding that targets both builders, so that both must answer it. */
export const TO_BOTH = {
  category: 'SAFETY',
  text: 'Nothing undoes a failed release.',
  resolution_criteria: 'A rollback that was tried.',
} as const;

/** Like `TO_BOTH`, but only agent_a must answer. */
export const FINDING = { ...TO_BOTH, target_agents: ['agent_a'] } as const;

const HELD = { request_hold: true, hold_reason: 'Not without a rollback.' } as const;

export const finds = (changes: Readonly<Record<string, unknown>> = {}): Call => [
  'moderator',
  'submit_moderator_finding',
  { ...FINDING, ...changes },
];

/** Raises a finding with a hold. */
export const findsAndHolds: Call = finds(HELD);
/** Raises another finding with a hold. */
export const findsAnotherAndHolds: Call = finds({ ...HELD, text: 'Nothing undoes a failed migration.' });

export const judges = (verdict: string, revision_id = 'r_1', changes: Readonly<Record<string, unknown>> = {}): Call => [
  'moderator',
  'submit_contract_review',
  { revision_id, content_hash: SAMPLE_HASH, verdict, summary: 'Read.', dimensions: [], ...changes },
];

export const asksBuilders = (changes: Readonly<Record<string, unknown>> = {}): Call => [
  'moderator',
  'ask_agent',
  { text: 'Who undoes it?', ...changes },
];

export const answersQuestion = (by: 'agent_a' | 'agent_b', intervention_id = 'i_1', text = 'We do.'): Call => [
  by,
  'answer_intervention',
  { intervention_id, text },
];

export const recommends = (recommendation = 'PAUSE', text = 'Wait for the rollback.'): Call => [
  'moderator',
  'recommend_to_owner',
  { recommendation, text },
];

export const respondsTo = (finding_id: string, decision = 'REJECT'): Call => [
  'agent_a',
  'respond_finding',
  { finding_id, decision, response: 'It is there.' },
];

/** f_1 is a finding of the moderator on the revision r_1. */
export const found: readonly PastEvent[] = play(submitted, [finds()]);

/** f_1 is a finding of the moderator, with the hold h_1. */
export const onHold: readonly PastEvent[] = play(submitted, [findsAndHolds]);

/** f_1 is a finding of the Technical Reviewer. */
export const reviewed: readonly PastEvent[] = play(submitted, [
  ['agent_b', 'submit_finding', { text: 'No error for an unknown article.' }],
]);

export const stopped: PastEvent = { kind: 'moderator.stopped', actor: 'owner', data: {} };
export const restored: PastEvent = { kind: 'moderator.restored', actor: 'owner', data: {} };
export const revoked: PastEvent = { kind: 'access.revoked', actor: 'owner', data: { role: 'moderator' } };
export const granted = (...permissions: readonly ('ask' | 'find' | 'hold' | 'review' | 'recommend')[]): PastEvent => ({
  kind: 'moderator.granted',
  actor: 'owner',
  data: { permissions: [...permissions] },
});
export const entitled = (value: boolean): PastEvent => ({
  kind: 'entitlement.changed',
  actor: 'owner',
  data: { entitled: value },
});
/** Another moderator redeems a second invitation. From then on, `given` uses that moderator's token. */
export const invitedAgain: PastEvent = {
  kind: 'invitation.redeemed',
  actor: 'moderator',
  data: {
    role: 'moderator',
    code_hash: 'hash-of-another-code',
    token_hash: 'hash-of-the-token-of-moderator',
    token_prefix: 'prt_second',
    expires_at: '2026-01-06T09:00:00.000Z',
    permissions: ['ask', 'find', 'hold', 'review', 'recommend'],
  },
};

/** Returns the past events and an acknowledgement of every event that the moderator sees. */
export function taken(past: readonly PastEvent[]): PastEvent[] {
  const { head } = given(past).when('get_moderator_status', {}, 'moderator').reply();
  return [...past, { kind: 'events.acknowledged', actor: 'moderator', data: { cursor: head } }];
}
