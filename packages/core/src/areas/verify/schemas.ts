import { z } from 'zod';
import { boundedLists, LEFT_OUT, type ListSource } from '../../kernel/operation/bounded-lists.ts';
import { documentAs, documented, namedObject } from '../../kernel/operation/documented.ts';
import { EvidencePolicy } from '../document/contract.ts';
import { EvidenceLevelName } from '../evidence.ts';
import { BuilderRole } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { routeOf } from '../routes.ts';
import { GivenToJudge, judgedIn, type NextItemView, type Task } from '../task.ts';
import { CertificationCheck } from './certification.ts';
import { GateStanding } from './gates.ts';
import { type Evaluation, failingText, missingText, passOf, SCENARIO_STATUSES, type Scenario } from './scenarios.ts';
import { AttemptView, CarriedView, DefectView, type EvaluationView, EvidenceView, type Handshake } from './state.ts';

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
