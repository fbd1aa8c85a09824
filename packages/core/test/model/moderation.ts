import { listOf } from './contracts.ts';
import { BUILDERS, type Seen } from './seen.ts';
import type { Call } from './world.ts';

interface Finding {
  readonly raisedBy: string;
  readonly isBlocking: boolean;
  readonly status: string;
  /** The builders that have to answer the finding. */
  readonly targets: readonly string[];
  /** The last response of each builder. */
  readonly responses: Readonly<Record<string, string>>;
}

interface Hold {
  readonly finding: string;
  readonly reason: string;
  /** What released the hold: `MODERATOR`, `OWNER` or `FINDING_CLOSED`. Null while the hold is active. */
  readonly cause: string | null;
}

interface Verdict {
  readonly verdict: string;
  readonly said: string;
  readonly isOverridden: boolean;
  /** Whether the owner requested changes of the revision after this verdict. */
  readonly isSentBack: boolean;
}

/**
 * The expected moderation: what the accepted calls have changed about findings, holds, reviews and the moderator. Nothing is read
 * from an answer.
 */
export interface Moderation {
  readonly isStopped: boolean;
  readonly isEntitled: boolean;
  readonly isRevoked: boolean;
  readonly permissions: readonly string[];
  readonly acked: number;
  /** Findings of all roles; the first item is f_1. */
  readonly findings: readonly Finding[];
  /** Holds; the first item is h_1. */
  readonly holds: readonly Hold[];
  /** The moderator's verdicts by revision. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** The owner's response to each recommendation; null if there is no response. The first item is rec_1. */
  readonly recommendations: readonly (string | null)[];
  /** Ids of the moderator's questions whose answers it has not checked. An id occurs once for each such answer. */
  readonly unchecked: readonly string[];
}

export const ALL_PERMISSIONS = ['ask', 'find', 'hold', 'review', 'recommend'] as const;

export const EMPTY_MODERATION: Moderation = {
  isStopped: false,
  isEntitled: true,
  isRevoked: false,
  permissions: ALL_PERMISSIONS,
  acked: 0,
  findings: [],
  holds: [],
  verdicts: {},
  recommendations: [],
  unchecked: [],
};

export const canAct = ({ isStopped, isEntitled, isRevoked }: Moderation): boolean =>
  !isStopped && isEntitled && !isRevoked;

const indexOf = (id: unknown): number => Number(String(id).replace(/^[a-z]+_/, '')) - 1;

export const findingIn = ({ findings }: Moderation, id: unknown): Finding | undefined => findings[indexOf(id)];
export const holdIn = ({ holds }: Moderation, id: unknown): Hold | undefined => holds[indexOf(id)];
export const recommendationIn = ({ recommendations }: Moderation, id: unknown) => recommendations[indexOf(id)];
export const isOpen = (finding: Finding): boolean => finding.status === 'OPEN' || finding.status === 'RESPONDED';
export const holdOn = ({ holds }: Moderation, finding: unknown): Hold | undefined =>
  holds.find((hold) => hold.finding === finding && hold.cause === null);

/**
 * Whether the moderator has requested changes of this revision and the request is binding. A request is not binding if
 * the owner has overridden it or has requested changes after it, or if the moderator is stopped or not entitled.
 */
export function isObjected({ verdicts, isStopped, isEntitled }: Moderation, revision: string): boolean {
  const given = verdicts[revision];
  const stands = given?.verdict === 'REQUEST_CHANGES' && !given.isOverridden && !given.isSentBack;
  return stands && !isStopped && isEntitled;
}

const replaced = <T>(list: readonly T[], id: unknown, change: Partial<T>): readonly T[] =>
  list.map((item, index) => (index === indexOf(id) ? { ...item, ...change } : item));

const without = (list: readonly string[], item: string): readonly string[] => {
  const place = list.indexOf(item);
  return place < 0 ? list : list.toSpliced(place, 1);
};

/** The builders that have not answered an open finding yet, among the author and the builders that the moderator named. */
export const awaitedFor = ({ status, targets, responses }: Finding, author: string | null): string[] =>
  status !== 'OPEN' || author === null
    ? []
    : BUILDERS.filter((role) => (role === author || targets.includes(role)) && responses[role] === undefined);

const raised = (moderation: Moderation, { by, input }: Call): Moderation => {
  const { findings, holds } = moderation;
  const targets = by === 'moderator' ? listOf(input.target_agents ?? BUILDERS).map(String) : [];
  const finding = { raisedBy: by, isBlocking: input.blocking !== false, status: 'OPEN', targets, responses: {} };
  const hold = { finding: `f_${findings.length + 1}`, reason: String(input.hold_reason), cause: null };
  return {
    ...moderation,
    findings: [...findings, finding],
    holds: input.request_hold === true ? [...holds, hold] : holds,
  };
};

const closed = (moderation: Moderation, id: unknown, status: string): Moderation => ({
  ...moderation,
  findings: replaced(moderation.findings, id, { status }),
  holds: moderation.holds.map((hold) =>
    hold.finding === id && hold.cause === null ? { ...hold, cause: 'FINDING_CLOSED' } : hold,
  ),
});

const judged = (moderation: Moderation, id: string, change: Partial<Verdict>): Moderation => {
  const given = moderation.verdicts[id];
  return given ? { ...moderation, verdicts: { ...moderation.verdicts, [id]: { ...given, ...change } } } : moderation;
};

const set = (moderation: Moderation, change: Partial<Moderation>): Moderation =>
  Object.entries(change).every(([name, value]) => moderation[name as keyof Moderation] === value)
    ? moderation
    : { ...moderation, ...change };

type Entry = (moderation: Moderation, call: Call, before: Seen) => Moderation;

const latestIn = (before: Seen): string => before.session().latest_revision?.revision_id ?? '';

/** The effect of each call on the expected moderation. An effect that changes nothing returns the same object. */
const ENTRIES: Readonly<Record<string, Entry>> = {
  submit_finding: raised,
  submit_moderator_finding: raised,
  respond_finding: (moderation, { by, input }, before) => {
    const response = JSON.stringify([input.decision, input.response]);
    const finding = findingIn(moderation, input.finding_id);
    if (!finding || finding.responses[by] === response) return moderation;
    const responses = { ...finding.responses, [by]: response };
    const isAwaited = awaitedFor({ ...finding, responses }, before.session().contract_author).length > 0;
    const status = isAwaited ? 'OPEN' : 'RESPONDED';
    return { ...moderation, findings: replaced(moderation.findings, input.finding_id, { status, responses }) };
  },
  resolve_finding: (moderation, { input }) => closed(moderation, input.finding_id, String(input.outcome)),
  overrideFinding: (moderation, { input }) => closed(moderation, input.finding_id, 'OVERRIDDEN'),
  request_hold: (moderation, { input }) => {
    if (holdOn(moderation, input.finding_id)) return moderation;
    const hold = { finding: String(input.finding_id), reason: String(input.reason), cause: null };
    return { ...moderation, holds: [...moderation.holds, hold] };
  },
  release_hold: (moderation, { input }) => ({
    ...moderation,
    holds: replaced(moderation.holds, input.hold_id, { cause: 'MODERATOR' }),
  }),
  releaseHold: (moderation, { input }) => ({
    ...moderation,
    holds: replaced(moderation.holds, input.hold_id, { cause: 'OWNER' }),
  }),
  submit_contract_review: (moderation, { input }) => {
    const id = String(input.revision_id);
    const said = JSON.stringify([input.verdict, input.summary, input.dimensions]);
    const given = moderation.verdicts[id];
    if (given?.said === said && !given.isOverridden && !given.isSentBack) return moderation;
    const verdict = { verdict: String(input.verdict), said, isOverridden: false, isSentBack: false };
    return { ...moderation, verdicts: { ...moderation.verdicts, [id]: verdict } };
  },
  overrideReview: (moderation, _call, before) => judged(moderation, latestIn(before), { isOverridden: true }),
  recommend_to_owner: (moderation) => ({ ...moderation, recommendations: [...moderation.recommendations, null] }),
  respondRecommendation: (moderation, { input }) => {
    const { recommendation_id: id, decision } = input;
    if (recommendationIn(moderation, id) === decision) return moderation;
    const recommendations = moderation.recommendations.map((given, index) =>
      index === indexOf(id) ? String(decision) : given,
    );
    return { ...moderation, recommendations };
  },
  ack_events: (moderation, { input }) => set(moderation, { acked: Math.max(moderation.acked, Number(input.cursor)) }),
  stopModerator: (moderation) => set(moderation, { isStopped: true }),
  restoreModerator: (moderation) => set(moderation, { isStopped: false }),
  setEntitlement: (moderation, { input }) => set(moderation, { isEntitled: input.entitled === true }),
  grantModerator: (moderation, { input }) => {
    const permissions = ALL_PERMISSIONS.filter(
      (one) => Array.isArray(input.permissions) && input.permissions.includes(one),
    );
    return permissions.join() === moderation.permissions.join() ? moderation : { ...moderation, permissions };
  },
};

/** By call that mainly concerns other records: the effect of the call on the expected moderation. */
const IN_PASSING: Readonly<Record<string, Entry>> = {
  requestChanges: (moderation, _call, before) => judged(moderation, latestIn(before), { isSentBack: true }),
  revoke: (moderation, { input }) => (input.role === 'moderator' ? { ...moderation, isRevoked: true } : moderation),
  answer_intervention: (moderation, { by, input }, before) => {
    const asked = before.view().interventions.find(({ intervention_id: id }) => id === input.intervention_id);
    const own = asked?.responses.find(({ role }) => role === by);
    if (asked?.from !== 'moderator' || own?.status === 'ANSWERED') return moderation;
    return { ...moderation, unchecked: [...moderation.unchecked, asked.intervention_id] };
  },
  withdraw_question: (moderation, { input }) => ({
    ...moderation,
    unchecked: moderation.unchecked.filter((id) => id !== input.intervention_id),
  }),
  complete_action: (moderation, { by, input }, before) => {
    const action = before.view().actions.find(({ action_id }) => action_id === input.action_id);
    if (by !== 'moderator' || action?.type !== 'CHECK_ANSWER') return moderation;
    return { ...moderation, unchecked: without(moderation.unchecked, String(action.about?.id)) };
  },
};

/** Returns the expected moderation after an accepted call. Returns the same object if the call does not concern moderation. */
export const moderated: Entry = (moderation, call, before) =>
  (ENTRIES[call.name] ?? IN_PASSING[call.name])?.(moderation, call, before) ?? moderation;

/**
 * Whether `ENTRIES` contains this call. Such a call stores an event if and only if it changes the expected moderation.
 */
export const isTold = ({ name }: Call): boolean => ENTRIES[name] !== undefined;
