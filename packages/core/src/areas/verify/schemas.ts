import { z } from 'zod';
import { boundedLists, LEFT_OUT, type ListSource } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { NextItem } from '../due/next-item.ts';
import { ActorName, At, BuilderRole, DefectId, MessageCursor, Party } from '../fields.ts';
import { CERTIFICATION_CHECKS } from './certification.ts';
import { Commits, DeclaredChange, EvidenceFields, HandshakeFields, Refusal, VERDICTS } from './events.ts';
import type { Evaluation } from './scenarios/evaluation.ts';
import { failingText, missingText } from './scenarios/evidence-texts.ts';
import { passOf, SCENARIO_STATUSES, type Scenario } from './scenarios/scenarios.ts';
import { ATTEMPT_STATUSES, DEFECT_STATUSES, type Defect, type Handshake, type ScenarioRecord } from './state.ts';

export const HandshakeView = z.strictObject({
  by: BuilderRole,
  ...HandshakeFields,
  skew_ms: z.int().nullable().describe('Milliseconds by which the clock of the agent is ahead of the clock of Parley.'),
  declared_at: At,
});
documented.add(HandshakeView, { id: 'Handshake' });

export function viewHandshake({ skewMs, at, commitSeq: _seq, ...fields }: Handshake): z.output<typeof HandshakeView> {
  return { ...fields, skew_ms: skewMs, declared_at: at };
}

export const EvaluationView = z.strictObject({
  met: z.boolean().describe('Whether the evidence is enough for a PASS.'),
  request_id: z.string().nullable(),
  missing: z.array(z.string()),
  failing: z.array(z.string()),
});
documented.add(EvaluationView, { id: 'Evaluation' });

export const viewEvaluation = ({ met, requestId, missing, failing }: Evaluation): z.output<typeof EvaluationView> => ({
  met,
  request_id: requestId,
  missing: missing.map(missingText),
  failing: failing.map(failingText),
});

const { kind, request_id, ...body } = EvidenceFields;

export const EvidenceView = z
  .strictObject({
    message_id: MessageCursor,
    by: BuilderRole,
    kind,
    request_id,
    failed: z.boolean(),
    ...z.strictObject({ ...body, submitted_at: At }).partial().shape,
  })
  .describe('Has claim, summary and assertions only if scenario_id was sent.');
documented.add(EvidenceView, { id: 'Evidence' });

export const AttemptView = z.strictObject({
  attempt: z.int(),
  status: z.enum(ATTEMPT_STATUSES),
  started_by: BuilderRole,
  started_at: At,
  commits: Commits,
  evidence_count: z.int(),
  evidence: z.array(EvidenceView),
  evaluation: EvaluationView,
  verdict: z
    .strictObject({
      by: BuilderRole,
      verdict: z.enum(VERDICTS).register(documented, { id: 'Verdict' }),
      note: z.string().nullable(),
      deviations: z.array(z.string()).optional(),
      given_at: At,
    })
    .nullable(),
  reason: z.string().nullable().describe('Why the attempt was aborted.'),
  ...LEFT_OUT,
});
documented.add(AttemptView, { id: 'Attempt' });

/** How a stale pass counts for other commits without a rerun. The reason is that of `by`; `paths` counts what was declared. */
export const CarriedView = z.strictObject({
  by: Party,
  reason: z.string(),
  verified: Commits.describe('Of the attempt.'),
  commits: Commits,
  changes: z.array(DeclaredChange),
  carried_at: At,
});
documented.add(CarriedView, { id: 'Carried' });

/** A pass that was carried over, with its scenario. */
export const CarriedPassView = z
  .strictObject({ scenario_id: z.string(), attempt: z.int(), carried: CarriedView })
  .register(documented, { id: 'CarriedPass' });

/** The carried pass of a scenario, as a list of one or none. */
export const viewCarriedPass = ({ test, record }: Scenario): z.output<typeof CarriedPassView>[] => {
  const { carried } = viewCarried(record);
  return carried ? [{ scenario_id: test.id, attempt: passOf(record)?.number ?? 0, carried }] : [];
};

/** The member `carried` of a scenario. Empty unless its pass was carried over. */
export function viewCarried({ carried }: ScenarioRecord): { carried?: z.output<typeof CarriedView> } {
  if (!carried) return {};
  const { at: carried_at, changes, verified, commits, ...rest } = carried;
  const both = { verified: { ...verified }, commits: { ...commits } };
  return { carried: { ...rest, ...both, changes: changes.map((change) => ({ ...change })), carried_at } };
}

const InList = {
  scenario_id: z.string(),
  status: z.enum(SCENARIO_STATUSES).register(documented, { id: 'ScenarioStatus' }),
  attempts: z.array(AttemptView).describe('The latest attempts, or the requested one.'),
  carried: CarriedView.optional(),
};

const InFull = {
  title: z.string(),
  reason: z.string().nullable().describe('Why the scenario waits or is stale.'),
  executor: BuilderRole,
  responsible: BuilderRole,
  requirements: z.array(z.string()),
  interfaces: z.array(z.string()),
  depends_on: z.array(z.string()),
};

/** A scenario on the board, if no member is left out. */
export const FullScenarioView = z.strictObject({ ...InList, ...InFull, ...LEFT_OUT });
documented.add(FullScenarioView, { id: 'FullScenario' });
export type FullScenario = z.output<typeof FullScenarioView>;

export const ScenarioView = z.strictObject({
  ...InList,
  ...z.strictObject(InFull).partial().shape,
  passed: z
    .strictObject({ attempt: z.int(), evidence_count: z.int() })
    .optional()
    .describe('If no scenario_id was sent, a passed scenario has this in place of its other members.'),
  ...LEFT_OUT,
});
documented.add(ScenarioView, { id: 'Scenario' });

export const DefectView = z.strictObject({
  defect_id: DefectId,
  scenario_id: z.string(),
  attempt: z.int(),
  status: z.enum(DEFECT_STATUSES),
  assigned_to: BuilderRole,
  commits: Commits,
  fix: z.strictObject({ note: z.string(), commit: z.string(), fixed_at: At }).nullable(),
  waiver_reason: z.string().nullable(),
  refusal: Refusal.optional().describe('Of a step, by the owner.'),
  opened_at: At,
});
documented.add(DefectView, { id: 'Defect' });
export const DefectResult = z.strictObject({ defect: DefectView }).register(documented, { id: 'DefectResult' });

export const viewDefect = (defect: Defect): z.output<typeof DefectView> => ({
  defect_id: defect.defectId,
  scenario_id: defect.scenarioId,
  attempt: defect.attempt,
  status: defect.status,
  assigned_to: defect.assignedTo,
  commits: { ...defect.commits },
  fix: defect.fix && { note: defect.fix.note, commit: defect.fix.commit, fixed_at: defect.fix.at },
  waiver_reason: defect.waiverReason,
  ...(defect.refusal ? { refusal: { ...defect.refusal } } : {}),
  opened_at: defect.at,
});

export const OtherAddress = z.string().optional().describe("Address of the other builder's service, as declared.");

export const NextItemView = z.strictObject({
  priority: z.int().describe('1 is first.'),
  tool: z.string(),
  route: z.string(),
  payload: z.record(z.string(), z.unknown()).describe('Ready to be sent; replace each <...>.'),
  reason: z.string(),
  scenario_id: z.string().optional(),
  other_address: OtherAddress,
  said: z
    .strictObject({ from: ActorName, text: z.string() })
    .optional()
    .describe('The question or directive to answer.'),
});
documented.add(NextItemView, { id: 'NextItem' });

/**
 * The next calls of a builder, as many as fit into the answer.
 * @param maxCost maximum size in bytes, as `costOf` counts them
 */
export function listNext(items: readonly NextItem[], maxCost: number) {
  const lists = boundedLists(maxCost);
  const shown = lists.list(nextSource(items));
  return { items: shown(), leftOut: lists.leftOut() };
}

interface RankedItem {
  readonly item: NextItem;
  readonly priority: number;
}

export const nextSource = (items: readonly NextItem[]): ListSource<RankedItem, z.output<typeof NextItemView>> => ({
  records: items.map((item, index) => ({ item, priority: index + 1 })),
  view: viewNext,
  how: () => 'Make the listed calls first; verify_next then lists the other calls.',
});

const viewNext = ({
  item: { scenarioId, payload, said, otherAddress, fixes: _fixes, reportsOn: _reportsOn, ...item },
  priority,
}: RankedItem): z.output<typeof NextItemView> => ({
  priority,
  ...item,
  payload: { ...payload },
  ...(scenarioId === undefined ? {} : { scenario_id: scenarioId }),
  ...(otherAddress === undefined ? {} : { other_address: otherAddress }),
  ...(said ? { said: { ...said } } : {}),
});

export const CertificationView = z.strictObject({
  certified: z.boolean(),
  checks: z.array(z.strictObject({ check: z.enum(CERTIFICATION_CHECKS), ok: z.boolean(), detail: z.string() })),
});
documented.add(CertificationView, { id: 'Certification' });
