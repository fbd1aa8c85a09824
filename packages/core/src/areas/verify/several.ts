/** Several scenarios in one call: the events of the single calls in their order, or none. */

import { z } from 'zod';
import { ParleyError } from '../../kernel/errors.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import type { DecideEnv } from '../../kernel/operation/operation.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { foldPart, type SessionState } from '../state.ts';
import { SCENARIO_STATUSES, scenarioOf } from './scenarios.ts';
import { NOT_STORED, verifySlice } from './state.ts';

/** Maximum number of scenarios of a call, the first and its `others`. Each has at most 20 items of evidence. */
export const MAX_SCENARIOS = 20;

/** Further items of a call, each about another scenario. The published schema does not repeat their members. */
export const othersOf = <T extends z.ZodType<unknown, Record<string, unknown>>>(item: T) =>
  z
    .array(z.record(z.string(), z.unknown()).pipe(item))
    .max(MAX_SCENARIOS - 1)
    .optional()
    .describe('Further scenarios, with the same members: all or none.');

interface OfScenario {
  readonly scenario_id: string;
}

interface Several extends OfScenario {
  readonly others?: readonly OfScenario[] | undefined;
}

/** Refuses a call that names a scenario twice. */
export function refuseTwice({ scenario_id, others = [] }: Several, issues: z.RefinementCtx): void {
  const ids = [scenario_id, ...others.map((other) => other.scenario_id)];
  for (const [index, id] of ids.entries())
    if (ids.indexOf(id) < index)
      issues.addIssue({
        code: 'custom',
        path: ['others', index - 1, 'scenario_id'],
        message: 'Repeats a scenario of this call.',
      });
}

/** What became of the scenarios in `others`. */
export const OtherResults = z
  .array(namedObject('OtherAttempt', { scenario_id: z.string(), attempt: z.int(), status: z.enum(SCENARIO_STATUSES) }))
  .optional();

export function viewOthers(
  state: SessionState,
  others: readonly OfScenario[] | undefined,
): { others?: z.output<typeof OtherResults> } {
  if (!others) return {};
  const viewed = others.map(({ scenario_id }) => {
    const { status, record } = scenarioOf(state, scenario_id);
    return { scenario_id, attempt: record.attempts.at(-1)?.attempt ?? 0, status };
  });
  return { others: viewed };
}

/** Decides an item of a call. `member` is the path of its evidence in the input. */
type DecideOne<T> = (state: SessionState, item: T, member: string) => SessionDraft[];

interface Deciding<T> extends Pick<DecideEnv, 'now'> {
  readonly role: Role;
  readonly decide: DecideOne<T>;
}

/**
 * The events of each item of a call, decided on the state after the items before it: those of single calls in this order.
 * @throws ParleyError the refusal of an item, with its scenario if the call has several
 */
export function inSequence<T extends OfScenario>(
  state: SessionState,
  items: readonly T[],
  { role, now, decide }: Deciding<T>,
): SessionDraft[] {
  const all: SessionDraft[] = [];
  let before = state;
  for (const [index, item] of items.entries()) {
    const member = index === 0 ? 'evidence' : `others[${index - 1}].evidence`;
    const drafts = items.length === 1 ? decide(before, item, member) : decideNamed(before, item, { member, decide });
    all.push(...drafts);
    if (index < items.length - 1) before = drafts.reduce((on, draft) => afterDraft(on, draft, { role, now }), before);
  }
  return all;
}

function decideNamed<T extends OfScenario>(
  state: SessionState,
  item: T,
  { member, decide }: { readonly member: string; readonly decide: DecideOne<T> },
): SessionDraft[] {
  try {
    return decide(state, item, member);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const details = { ...error.details, scenario_id: item.scenario_id };
    throw new ParleyError(error.code, error.message, details, { cause: error });
  }
}

/** The state after an event that is not stored yet, as far as the verification depends on it. */
function afterDraft(
  before: SessionState,
  draft: SessionDraft,
  { role, now: at }: { readonly role: Role; readonly now: string },
): SessionState {
  const unstored = { seq: NOT_STORED, v: 1, prevHash: '', hash: '', bytes: 0, at, actor: draft.actor ?? role };
  return { ...before, verify: foldPart(verifySlice, before.verify, { event: { ...draft, ...unstored }, before }) };
}
