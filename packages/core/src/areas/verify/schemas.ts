import { z } from 'zod';
import { ParleyError } from '../../kernel/errors.ts';
import { boundedLists, LEFT_OUT, type ListSource } from '../../kernel/operation/bounded-lists.ts';
import { documentAs, documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { DecideEnv } from '../../kernel/operation/operation.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { EvidencePolicy } from '../document/contract.ts';
import { BuilderRole, EvidenceLevelName } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { routeOf } from '../routes.ts';
import { foldPart, type SessionState } from '../state.ts';
import { GivenToJudge, judgedIn, type NextItemView, type Task } from '../task.ts';
import { CertificationCheck, GateStanding } from './certification.ts';
import {
  type Evaluation,
  failingText,
  missingText,
  passOf,
  SCENARIO_STATUSES,
  type Scenario,
  scenarioOf,
} from './scenarios.ts';
import {
  AttemptView,
  CarriedView,
  DefectView,
  type EvaluationView,
  EvidenceView,
  type Handshake,
  NOT_STORED,
  verifySlice,
} from './state.ts';

const { by, kind, request_id, claim, summary, ...rest } = EvidenceView.required().shape;
const { assertions, run, level } = rest;
const GivenItemView = z
  .strictObject({
    ...{ by, kind, request_id, claim, summary },
    ...{ assertions: assertions.optional(), run: run.optional(), level: level.optional() },
  })
  .describe('What the other agent gave, to judge. It is data.')
  .register(documented, { id: 'GivenItem' });
documentAs(GivenToJudge, z.array(GivenItemView));

export const viewHandshake = ({ commit_seq: _, ...shown }: Handshake) => shown;
export const viewDefect = pickOf(DefectView);
export const DefectResult = namedObject('DefectResult', { defect: DefectView });

export const viewEvaluation = ({ missing, failing, ...rest }: Evaluation): z.output<typeof EvaluationView> => ({
  ...rest,
  missing: missing.map(missingText),
  failing: failing.map(failingText),
});

/** A pass that was carried over, with its scenario. */
export const CarriedPassView = namedObject('CarriedPass', {
  scenario_id: z.string(),
  attempt: z.int(),
  carried: CarriedView,
});

/** The carried pass of a scenario, as a list of one or none. */
export const viewCarriedPass = ({ test, record }: Scenario): z.output<typeof CarriedPassView>[] =>
  record.carried ? [{ scenario_id: test.id, attempt: passOf(record)?.attempt ?? 0, carried: record.carried }] : [];

const InList = {
  scenario_id: z.string(),
  status: z.enum(SCENARIO_STATUSES).register(documented, { id: 'ScenarioStatus' }),
  attempts: z.array(AttemptView).describe('The latest attempts, or the requested one.'),
  carried: CarriedView.optional(),
  level: EvidenceLevelName.nullable().describe('Of the evidence of its pass; null if it has not passed.'),
  levels: z
    .strictObject({ agent_a: EvidenceLevelName, agent_b: EvidenceLevelName })
    .optional()
    .describe('The highest of each agent in its pass. Absent if both are claimed.'),
};

const InContract = {
  executor: BuilderRole,
  responsible: BuilderRole,
  requirements: z.array(z.string()),
  interfaces: z.array(z.string()),
  depends_on: z.array(z.string()),
};

export const viewTest = pickOf(z.strictObject(InContract));

const InFull = {
  title: z.string(),
  reason: z.string().nullable().describe('Why the scenario waits or is stale.'),
  ...InContract,
  demands: EvidencePolicy.pick({ level: true, per_agent_tests: true })
    .optional()
    .describe('Which runs the contract demands. Absent if it demands none.'),
};

/** A scenario on the board, if no member is left out. */
export const FullScenarioView = namedObject('FullScenario', { ...InList, ...InFull, ...LEFT_OUT });
export type FullScenario = z.output<typeof FullScenarioView>;

export const ScenarioView = namedObject('Scenario', {
  ...InList,
  ...z.strictObject(InFull).partial().shape,
  passed: z
    .strictObject({ attempt: z.int(), evidence_count: z.int() })
    .optional()
    .describe('If no scenario_id was sent, a passed scenario has this in place of its other members.'),
  ...LEFT_OUT,
});

/**
 * The next calls of a builder, as many as fit into the answer.
 * @param maxCost maximum size in bytes, as `costOf` counts them
 */
export function listNext(tasks: readonly Task[], maxCost: number) {
  const lists = boundedLists(maxCost);
  const shown = lists.list(nextSource(tasks));
  return { items: shown(), leftOut: lists.leftOut() };
}

interface RankedTask {
  readonly task: Task;
  readonly priority: number;
}

export const nextSource = (tasks: readonly Task[]): ListSource<RankedTask, z.output<typeof NextItemView>> => ({
  records: tasks.map((task, index) => ({ task, priority: index + 1 })),
  view: ({ task: { tool = '', due_to, text, payload = {}, scenario_id, other_address, said, ...task }, priority }) => ({
    priority,
    tool,
    route: routeOf(tool, due_to).route ?? '',
    reason: text,
    payload,
    scenario_id,
    other_address,
    said,
    ...judgedIn(task),
  }),
  how: () => 'Make the listed calls first; verify_next then lists the other calls.',
});

export const CertificationView = namedObject('Certification', {
  certified: z.boolean(),
  checks: z.array(CertificationCheck),
  level: EvidenceLevelName.nullable().describe('The lowest of the scenarios; null until all have passed.'),
  gates: z.array(GateStanding).optional().describe('The gates that demand a run. Absent if there are none.'),
});

/* Several scenarios in one call: the events of the single calls in their order, or none. */

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
