import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { hasModerator, moderatorPermissions } from '../access/rules.ts';
import { reportAction } from '../actions/rules.ts';
import type { DecidedStep } from '../approvals/state.ts';
import { MessageCursor } from '../fields.ts';
import type { Finding } from '../findings/state.ts';
import { openQuestionsTo } from '../planning/rules.ts';
import { currentModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { gateStandings } from '../verify/certification.ts';
import { type Scenario, scenariosOf } from '../verify/scenarios.ts';
import type { Defect } from '../verify/state.ts';
import { type GroundRecord, groundKey } from './state.ts';

/**
 * A record on which a decision of the owner rests: what it is now, in codes and ids without a text of an agent, and the
 * number of the latest event that changed it. 0 if nothing has happened to it.
 */
export interface Ground {
  readonly record: GroundRecord;
  readonly now: string;
  readonly seq: number;
}

const groundOf = ({ grounds }: SessionState, type: GroundRecord['type'], id: string, now: string): Ground => {
  const record = { type, id };
  return { record, now, seq: lookUp(grounds, groundKey(record)) ?? 0 };
};

export function revisionGrounds(state: SessionState): Ground[] {
  const { latest } = state.contract;
  return latest ? [groundOf(state, 'revision', latest.revision_id, `content_hash ${latest.content_hash}`)] : [];
}

export function manifestGrounds(state: SessionState): Ground[] {
  const { current } = state.manifest;
  return current ? [groundOf(state, 'manifest', current.manifest_id, `of ${current.revision_id}`)] : [];
}

export function moderatorReviewGrounds(state: SessionState): Ground[] {
  const review = currentModeratorReview(state);
  return review ? [groundOf(state, 'review', 'moderator', `${review.verdict} of ${review.revision_id}`)] : [];
}

export const findingGrounds = (state: SessionState, rests: (finding: Finding) => boolean): Ground[] =>
  valuesOf(state.findings.all)
    .filter(rests)
    .map(({ finding_id, status }) => groundOf(state, 'finding', finding_id, status));

/** The holds on a finding, or all holds. */
export const holdGrounds = (state: SessionState, onFinding?: string): Ground[] =>
  valuesOf(state.holds.all)
    .filter(({ finding_id }) => onFinding === undefined || finding_id === onFinding)
    .map(({ hold_id, released }) => groundOf(state, 'hold', hold_id, released ? 'RELEASED' : 'ACTIVE'));

const handshakeGrounds = (state: SessionState): Ground[] =>
  BUILDERS.map((builder) => {
    const handshake = state.verify.handshakes[builder];
    return groundOf(
      state,
      'handshake',
      builder,
      handshake ? `commit ${handshake.commit}, declared ${handshake.declared_at}` : 'none',
    );
  });

/** A defect, with the findings that dispute it and the commits that may fix it. */
export function defectGrounds(state: SessionState, defectId: string): Ground[] {
  const defect = lookUp(state.verify.defects, defectId);
  if (!defect) return [];
  return [
    ...oneDefect(state, defect),
    ...handshakeGrounds(state),
    ...findingGrounds(state, ({ target }) => target === defectId),
  ];
}

const oneDefect = (state: SessionState, { defect_id, status, assigned_to }: Defect): Ground[] => [
  groundOf(state, 'defect', defect_id, `${status}, assigned to ${assigned_to}`),
];

/** A scenario, with its defects and the commits for which its pass is to count. */
export const scenarioGrounds = (state: SessionState, scenarioId: string): Ground[] => [
  ...handshakeGrounds(state),
  ...scenariosOf(state)
    .filter(({ test }) => test.id === scenarioId)
    .map((scenario) => oneScenario(state, scenario)),
  ...valuesOf(state.verify.defects)
    .filter((defect) => defect.scenario_id === scenarioId)
    .flatMap((defect) => oneDefect(state, defect)),
];

const oneScenario = (state: SessionState, { test, status, record }: Scenario): Ground => {
  const carried = record.carried ? ', carried over' : '';
  return groundOf(state, 'scenario', test.id, `${status}, attempt ${record.attempts.at(-1)?.attempt ?? 0}${carried}`);
};

/** The nominations of the builders, the present Contract Author, and what the author has submitted. */
export function electionGrounds(state: SessionState): Ground[] {
  const { nominations, contract_author: author } = state.election;
  return [
    ...BUILDERS.map((by) => groundOf(state, 'nomination', by, nominations[by]?.candidate ?? 'none')),
    groundOf(state, 'author', 'contract', author ?? 'none'),
    ...revisionGrounds(state),
  ];
}

/** All advice, answered or not: somebody else can have answered advice that the owner has not read. */
const adviceGrounds = (state: SessionState): Ground[] =>
  valuesOf(state.recommendations.all).map(({ recommendation_id, recommendation, answer }) =>
    groundOf(
      state,
      'recommendation',
      recommendation_id,
      answer ? `${recommendation}, ${answer.decision}` : recommendation,
    ),
  );

/**
 * Whether a moderator can act, and what it may do: who stops it takes away its objections. Empty if the session never had a
 * moderator.
 */
export function moderatorGrounds(state: SessionState): Ground[] {
  const { isModeratorStopped, isModeratorEntitled } = state.access;
  const may = moderatorPermissions(state);
  const absent = isModeratorStopped ? 'stopped' : isModeratorEntitled ? 'without access' : 'not admitted';
  const now = hasModerator(state) ? `may ${may.length > 0 ? may.join(', ') : 'only read'}` : absent;
  return [groundOf(state, 'moderator', 'contract', now)].filter(({ seq }) => seq > 0);
}

/** The questions and interventions that stop an approval until somebody answers them, and the open questions to the owner. */
const askedGrounds = (state: SessionState): Ground[] => [
  ...valuesOf(state.questions.all)
    .filter(({ blocking, to, status }) => blocking || (to === 'owner' && status === 'OPEN'))
    .map(({ question_id, status }) => groundOf(state, 'question', question_id, status.toLowerCase())),
  ...valuesOf(state.interventions.all)
    .filter(({ type, blocking }) => type === 'DIRECTIVE' || blocking)
    .map(({ intervention_id, withdrawn, responses }) => {
      const statuses = Object.entries(responses).map(([role, { status }]) => `${role} ${status}`);
      return groundOf(state, 'intervention', intervention_id, withdrawn ?? statuses.join(', '));
    }),
];

/** The questions that wait for an answer of the owner: what is asked may change the decision. */
const openQuestionGrounds = (state: SessionState): Ground[] =>
  openQuestionsTo(state.questions, 'owner').map(({ question_id }) => groundOf(state, 'question', question_id, 'open'));

/** What the approval of the contract or the authorization of a stage rests on. */
export function stepGrounds(state: SessionState, step: DecidedStep): Ground[] {
  if (step === 'approval') return approvalGrounds(state);
  const stops = ({ blocking, answer_of }: Finding): boolean => blocking || answer_of !== undefined;
  return [
    ...manifestGrounds(state),
    ...(step === 'build' ? readinessGrounds(state) : releaseGrounds(state)),
    ...findingGrounds(state, stops),
    ...holdGrounds(state),
    ...openQuestionGrounds(state),
    ...adviceGrounds(state),
    ...moderatorGrounds(state),
  ];
}

function approvalGrounds(state: SessionState): Ground[] {
  const { reviews, preflight, decisions } = state;
  return [
    ...revisionGrounds(state),
    ...BUILDERS.map((by) => {
      const review = reviews[by];
      return groundOf(state, 'review', by, review ? `${review.verdict} of ${review.revision_id}` : 'none');
    }),
    ...moderatorReviewGrounds(state),
    // Without a preflight, the mappings are those of the revision.
    ...(preflight ? [groundOf(state, 'preflight', 'contract', `${preflight.mappings.length} mappings`)] : []),
    ...askedGrounds(state),
    ...valuesOf(decisions.all).map(({ decision_id, status }) => groundOf(state, 'decision', decision_id, status)),
    ...findingGrounds(state, () => true),
    ...holdGrounds(state),
    ...adviceGrounds(state),
    ...moderatorGrounds(state),
  ];
}

const readinessGrounds = (state: SessionState): Ground[] =>
  BUILDERS.map((by) => groundOf(state, 'readiness', by, state.readiness.reports[by]?.verdict ?? 'none'));

const releaseGrounds = (state: SessionState): Ground[] => [
  ...handshakeGrounds(state),
  ...scenariosOf(state).map((scenario) => oneScenario(state, scenario)),
  ...gateStandings(state).map(({ gate_id, level }) => groundOf(state, 'gate', gate_id, level ?? 'missing')),
  ...valuesOf(state.verify.defects).flatMap((defect) => oneDefect(state, defect)),
  ...BUILDERS.flatMap((by) => reportAction(state, by) ?? []).map(({ action_id, status }) =>
    groundOf(state, 'action', action_id, status),
  ),
];

const SeenNumber = MessageCursor.describe(
  'Required: `head.seq` of the answer that you read before deciding. If a record on which the decision rests has changed since, the call is refused. A call without it is refused with the present records and `head`.',
).register(documented, { id: 'SeenNumber' });

const SeenHash = z
  .string()
  .regex(
    /^[0-9a-f]{16,64}$/,
    'Must be 16 to 64 lower-case hexadecimal digits: the beginning of head.hash, or all of it.',
  )
  .describe(
    '`head.hash` of that answer, or at least its first 16 characters. If a restore or a failover has replaced the event `seen` since, the call is refused.',
  )
  .register(documented, { id: 'SeenHash' });

/** The members of the input of each operation of the owner that decides about records that others can change. */
export const SEEN = {
  seen: SeenNumber.optional(),
  seen_hash: SeenHash.optional(),
};

/** Which event the owner had read: its number, and the beginning of its hash. */
export interface Seen {
  readonly seen?: number | undefined;
  readonly seen_hash?: string | undefined;
}

/** What a call rests on, which event the owner had read, and the event that has this number now, if it was looked up. */
interface Resting extends Seen {
  readonly grounds: readonly Ground[];
  readonly event: LoggedEvent | undefined;
}

/** Maximum number of records that a refusal names. */
const MAX_NAMED = 50;

/** Number of the latest event that changed one of the records. 0 if there is none. */
export const latestOf = (grounds: readonly Ground[]): number => Math.max(0, ...grounds.map(({ seq }) => seq));

/**
 * Refuses a decision of the owner if a record on which it rests has changed since the owner read it.
 *
 * @throws ParleyError INVALID_INPUT if `seen` is missing, or higher than the number of the latest event; GROUNDS_CHANGED
 */
export function requireSeen({ head: { seq, hash } }: SessionState, resting: Resting): void {
  const { seen, seen_hash, grounds, event } = resting;
  const head = { seq, hash };
  if (seen === undefined) refuseUnseen(grounds, head);
  if (seen_hash !== undefined && !event?.hash.startsWith(seen_hash))
    fail(
      'GROUNDS_CHANGED',
      `The log no longer has the event ${seen} that you had read: a restore or a failover replaced it.`,
      { changed: newestOf(grounds), head },
    );
  if (seen > seq) refuseInput([{ path: 'seen', message: `Must be at most ${seq}, the number of the latest event.` }]);
  const changed = grounds.filter((ground) => ground.seq > seen);
  if (changed.length === 0) return;
  const named = newestOf(changed);
  const names = named.slice(0, MAX_IN_MESSAGE).map(({ record: { type, id }, now }) => `${type} ${id} (now ${now})`);
  const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : '';
  fail('GROUNDS_CHANGED', `Changed since event ${seen}, which you had read: ${names.join(', ')}${more}.`, {
    changed: named,
    head,
  });
}

const MAX_IN_MESSAGE = 5;

const newestOf = (grounds: readonly Ground[]) =>
  grounds
    .toSorted((one, other) => other.seq - one.seq)
    .slice(0, MAX_NAMED)
    .map(({ record, now, seq }) => ({ record: { ...record }, now, seq }));

function refuseUnseen(grounds: readonly Ground[], head: { readonly seq: number; readonly hash: string }): never {
  return fail('INVALID_INPUT', `seen: Is required; it is ${head.seq} if you decide on what grounds shows.`, {
    issues: [
      { path: 'seen', message: `Is required: the head.seq of the answer on which you decide, now ${head.seq}.` },
    ],
    grounds: newestOf(grounds),
    head,
    hint: 'Compare grounds with what you have read. If you decide the same, send the call again with head.seq as seen.',
  });
}
