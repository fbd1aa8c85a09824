import { type Builder, type Seen, speakerIn } from '../seen.ts';
import { by } from '../starting-states.ts';
import type { Call, Payload } from '../world.ts';

/**
 * Chooses a call by the views, a builder, and a number that selects one of the possible calls. Returns null if no call
 * is possible.
 */
export type Move = (now: Seen, who: Builder, n: number) => Call | null;

export const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

/** Returns one of the ids; for each eleventh `n`, returns `unknown`. */
export const idOf = (ids: readonly string[], n: number, unknown: string): string | undefined =>
  n % 11 === 10 ? unknown : pick(ids, n);

/**
 * Returns a call that a test can make. Returns null if a member of the input is undefined, because the record that the
 * member should name does not exist.
 */
export const on = (who: Call['by'], name: string, input: Payload): Call | null =>
  Object.values(input).includes(undefined) ? null : by(who, name, input);

/** Returns a function that usually returns the role that may make a call, and for each ninth `n` the role `who`. */
const mostly =
  (whoMay: (now: Seen) => Builder | null | undefined) =>
  (now: Seen, who: Builder, n: number): Builder =>
    n % 9 === 8 ? who : (whoMay(now) ?? who);

export const author = mostly((now) => now.session().contract_author);
export const reviewer = mostly((now) => now.session().technical_reviewer);
export const speaker = mostly((now) => speakerIn(now.session()));

export const latestOf = (now: Seen) => now.session().latest_revision;
export const decisionIds = (now: Seen): string[] => now.view().decisions.map(({ decision_id }) => decision_id);
export const activeIds = (now: Seen): string[] =>
  now.view().decisions.flatMap(({ decision_id, active }) => (active ? [decision_id] : []));
export const openFindings = (now: Seen): string[] =>
  now.findings().flatMap(({ finding_id, status }) => (/^(OPEN|RESPONDED)$/.test(status) ? [finding_id] : []));
export const findingIds = (now: Seen): string[] => now.findings().map(({ finding_id }) => finding_id);
export const interventionIds = (now: Seen): string[] =>
  now.view().interventions.map(({ intervention_id }) => intervention_id);
export const questionIds = (now: Seen): string[] => now.view().questions.map(({ question_id }) => question_id);
export const actionIds = (now: Seen, who: Builder | 'moderator'): string[] =>
  now
    .view()
    .actions.flatMap(({ action_id, due_to, status }) => (due_to === who && status !== 'COMPLETED' ? [action_id] : []));
export const holdIds = (now: Seen): string[] => now.view().holds.map(({ hold_id }) => hold_id);
export const activeHolds = (now: Seen): string[] => now.session().holds.map(({ hold_id }) => hold_id);
export const targets = (n: number): readonly string[] =>
  pick([['agent_a'], ['agent_b'], ['agent_a', 'agent_b']], n) ?? [];
export const other = (who: Builder): Builder => (who === 'agent_a' ? 'agent_b' : 'agent_a');
export const NO_HASH = 'f'.repeat(64);
