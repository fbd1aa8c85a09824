import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { itemAt, lookUp, lowerBound, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { storedData } from '../catalog.ts';
import { memberPath } from '../document/json-pointer.ts';
import { wordDiff } from '../document/shown-changes.ts';
import { ActorName, At, BuilderRole, MessageCursor, RecordRef } from '../fields.ts';
import { viewFinding } from '../findings/rules.ts';
import { FindingView } from '../findings/state.ts';
import { subjectOf, viewIntervention, viewRecommendation } from '../interventions/rules.ts';
import { type Intervention, InterventionView, RecommendationView } from '../interventions/state.ts';
import { pickOf } from '../listing.ts';
import { decisionEvents, turnEvents } from '../planning/events.ts';
import { type Decision, replacementOf } from '../planning/state.ts';
import type { SessionState } from '../state.ts';
import { viewAsked } from '../verify/board.ts';
import { defectDisputes } from '../verify/defects.ts';
import { passOf, SCENARIO_STATUSES, type Scenario, scenariosOf, testsOfRequirement } from '../verify/scenarios.ts';
import { type Attempt, AttemptView, Reassignment } from '../verify/state.ts';
import {
  contractItem,
  contractItems,
  ITEM_TYPES,
  namesRecord,
  RECORD_TYPES,
  type RecordType,
  valueAt,
} from './record-types.ts';

const Item = z.strictObject({ message_id: MessageCursor, by: BuilderRole, kind: z.string(), failed: z.boolean() });
const viewItem = pickOf(Item);

/** A scenario that belongs to a record, and the evidence of one attempt at this scenario. */
const EvidenceOfRecord = namedObject('EvidenceOfRecord', {
  scenario_id: z.string(),
  title: z.string(),
  status: z.enum(SCENARIO_STATUSES).nullable().describe('Null before the approval of a contract.'),
  attempt: z
    .int()
    .nullable()
    .describe(
      'The attempt: for a defect, the attempt that failed; otherwise the valid pass or, without a pass, the latest attempt.',
    ),
  evidence: z.array(Item),
});
type View = z.output<typeof EvidenceOfRecord>;

/** The scenario in which a defect was found, and the evidence of the attempt that failed. */
function evidenceOfDefect(state: SessionState, defectId: string): View[] {
  const defect = lookUp(state.verify.defects, defectId);
  const scenario = scenariosOf(state).find(({ test }) => test.id === defect?.scenario_id);
  return defect && scenario ? [viewScenario(scenario.test, scenario, defect.attempt)] : [];
}

/**
 * The scenario of a test of the contract, and the evidence of its valid pass. Without a valid pass, the evidence of the
 * latest attempt.
 */
export const evidenceOfTest = (state: SessionState, testId: string): View[] =>
  (state.contract.outline?.tests ?? []).filter(({ id }) => id === testId).map((test) => viewTest(state, test));

/**
 * The scenarios of the tests that prove a requirement. Each has the evidence of its valid pass or, without a valid
 * pass, of its latest attempt.
 */
export const evidenceOfRequirement = (state: SessionState, requirementId: string): View[] =>
  testsOfRequirement(state, requirementId).map((test) => viewTest(state, test));

type Test = Pick<Scenario['test'], 'id' | 'title'>;

function viewTest(state: SessionState, test: Test): View {
  const scenario = scenariosOf(state).find((candidate) => candidate.test.id === test.id);
  const attempt = scenario && (passOf(scenario.record) ?? scenario.record.attempts.at(-1));
  return viewScenario(test, scenario, attempt?.attempt);
}

function viewScenario({ id, title }: Test, scenario: Scenario | undefined, number: number | undefined): View {
  const attempt = scenario?.record.attempts.find((candidate) => candidate.attempt === number);
  return {
    scenario_id: id,
    title,
    status: scenario?.status ?? null,
    attempt: attempt?.attempt ?? null,
    evidence: (attempt?.evidence ?? []).map(viewItem),
  };
}

/** What the owner needs to decide who must fix a defect. */
const ContextOfDefect = z.strictObject({
  attempt: AttemptView.optional().describe(
    'For a defect of the current manifest: the attempt that failed, with its evidence in full and its verdict.',
  ),
  reassigned: z.array(Reassignment).optional().describe('For a defect: how the owner reassigned it, oldest first.'),
  disputes: z
    .array(FindingView)
    .optional()
    .describe('For an open defect: the open findings in which its assignee says that the other agent must fix it.'),
  interventions: z
    .array(InterventionView)
    .optional()
    .describe('For a defect: the interventions that name it in their text or in an answer and are not withdrawn.'),
});

interface Failed {
  readonly scenario: Scenario;
  readonly attempt: Attempt;
}

/** The attempt in which a defect was seen last. Undefined if another contract was approved since then. */
function failedAttempt(state: SessionState, defectId: string): Failed | undefined {
  const defect = lookUp(state.verify.defects, defectId);
  const scenario = scenariosOf(state).find(({ test }) => test.id === defect?.scenario_id);
  const attempt = scenario?.record.attempts.find(({ attempt }) => attempt === defect?.attempt);
  return scenario && attempt && { scenario, attempt };
}

/** Numbers of the stored events with the evidence of the attempt that failed. */
const defectSeqs = (state: SessionState, defectId: string): number[] =>
  (failedAttempt(state, defectId)?.attempt.evidence ?? []).map(({ message_id }) => message_id);

/** The hash of the approved contract, whose test found the defect. */
const defectDocuments = (state: SessionState, defectId: string): string[] => {
  const { latest } = state.contract;
  return latest && failedAttempt(state, defectId) ? [latest.content_hash] : [];
};

interface Sources {
  readonly loaded: readonly LoggedEvent[];
  readonly document: ReadDocument;
}

function viewDefectContext(state: SessionState, defectId: string, sources: Sources) {
  const failed = failedAttempt(state, defectId);
  const reassigned = lookUp(state.verify.defects, defectId)?.reassigned;
  const naming = valuesOf(state.interventions.all).filter((one) => isAbout(one, defectId));
  const disputes = defectDisputes(state).filter(({ defect }) => defect.defect_id === defectId);
  return {
    scenarios: evidenceOfDefect(state, defectId),
    ...(failed && viewFailed(state, failed, sources)),
    ...(reassigned && { reassigned }),
    ...(disputes.length > 0 && { disputes: disputes.map(({ finding }) => viewFinding(state, finding)) }),
    ...(naming.length > 0 && { interventions: naming.map((one) => viewIntervention(one, 'owner')) }),
  };
}

const isAbout = ({ text, responses }: Intervention, id: string): boolean =>
  [text, ...Object.values(responses).map((response) => response.text)].some((said) => namesRecord(said, id));

function viewFailed(
  { contract: { latest } }: SessionState,
  { scenario, attempt }: Failed,
  { loaded, document }: Sources,
) {
  const { attempts } = viewAsked(scenario, { attempt, items: attempt.evidence }, 'board', loaded);
  const found = latest && contractItem(document(latest.content_hash), scenario.test.id);
  const shown = attempts.find((each) => each.attempt === attempt.attempt);
  return {
    ...(found && { contract: { revision_id: latest.revision_id, pointer: found.pointer, value: found.item } }),
    ...(shown && { attempt: shown }),
  };
}

const EVENT_ROLES = ['proposed', 'asked', 'raised', 'answered', 'opened', 'completed'] as const;

const EventOfRecord = z.strictObject({
  what: z.enum(EVENT_ROLES),
  id: z.int().describe('Number of the event.'),
  at: At,
  from: ActorName,
  kind: z.string(),
  record: RecordRef.describe('What the event is about.'),
  summary: z.string().optional().describe('For a turn: its summary, which gives the reason.'),
});

/** Facts beside a record that help the owner understand the record. */
export const RecordContext = z.strictObject({
  type: z.enum([...RECORD_TYPES, ...ITEM_TYPES, 'requirement']),
  events: z
    .array(EventOfRecord)
    .describe(
      'The events that created, answered or closed the record. For a decision or question in a turn: that turn.',
    ),
  changes: z
    .array(z.strictObject({ from: z.string(), to: z.string(), words: z.string() }))
    .optional()
    .describe('The words that changed from the superseded decision to its successor: [-removed-] {+added+}.'),
  contract: z
    .strictObject({
      revision_id: z.string(),
      pointer: z.string(),
      part_id: z.string().optional().describe('For a finding: the id of the part that contains the place.'),
      value: z.unknown().optional(),
    })
    .optional()
    .describe(
      'The place of the item or of the decision in the contract, the place that the finding names, or the test that found the defect. The value at the place is included only for a finding and a defect.',
    ),
  advice: z
    .array(RecommendationView)
    .optional()
    .describe('Recommendations of the moderator that name the record; absent if there are none.'),
  scenarios: z
    .array(EvidenceOfRecord)
    .optional()
    .describe('For a defect, a test or a requirement: its scenarios with their evidence.'),
  ...ContextOfDefect.shape,
});
type Context = z.output<typeof RecordContext>;

export interface Named {
  readonly type: RecordType;
  readonly id: string;
}

/** Maximum length, in characters, of the JSON text of a value in the contract. The answer leaves out a longer value. */
const MAX_PLACE_CHARS = 20_000;

export function contextSeqs(state: SessionState, named: Named): number[] {
  const decision = named.type === 'decision' ? lookUp(state.decisions.all, named.id) : undefined;
  const positions = decision ? changesAt(state, decision).flat() : [];
  return [
    ...(named.type === 'defect' ? defectSeqs(state, named.id) : []),
    ...eventsOf(state, named).map(({ seq }) => seq),
    ...positions.map(({ text_seqs: [seq = 0] }) => seq),
    ...(decision ? decision.text_seqs : []),
  ];
}

export function contextDocuments(state: SessionState, { type, id }: Named): string[] {
  const { findings, contract } = state;
  if (type === 'defect') return defectDocuments(state, id);
  const finding = type === 'finding' ? lookUp(findings.all, id) : undefined;
  const revision = finding?.target ? lookUp(contract.revisions, finding.revision_id ?? '') : undefined;
  return revision ? [revision.content_hash] : [];
}

export function viewContext(
  state: SessionState,
  named: Named,
  { loaded, document }: { readonly loaded: readonly LoggedEvent[]; readonly document: ReadDocument },
): Context {
  const events = eventsOf(state, named).flatMap(({ what, seq }) => {
    const event = loaded.find((candidate) => candidate.seq === seq);
    return event ? [{ what, ...viewEvent(state, event) }] : [];
  });
  return {
    type: named.type,
    events,
    ...(named.type === 'decision' && { ...viewReplacing(state, named.id, loaded), ...viewListed(state, named.id) }),
    ...(named.type === 'finding' && viewPlace(state, named.id, document)),
    ...viewAdvice(state, named.id),
    ...(named.type === 'defect' && viewDefectContext(state, named.id, { loaded, document })),
  };
}

function viewEvent({ sessionId }: SessionState, event: LoggedEvent) {
  const { seq, at, actor, kind } = event;
  const turn = kind === 'turn.posted' ? turnEvents['turn.posted'].data.safeParse(event.data).data : undefined;
  return {
    id: seq,
    at,
    from: actor,
    kind,
    record: subjectOf(event, sessionId),
    ...(turn && { summary: turn.summary }),
  };
}

/** The moderator's recommendations, if their text names the record with this id. */
function viewAdvice({ recommendations }: SessionState, id: string): Pick<Context, 'advice'> {
  const naming = valuesOf(recommendations.all).filter(({ text }) => namesRecord(text, id));
  return naming.length > 0 ? { advice: naming.map(viewRecommendation) } : {};
}

interface EventAt {
  readonly what: (typeof EVENT_ROLES)[number];
  readonly seq: number;
}

function eventsOf(state: SessionState, { type, id }: Named): EventAt[] {
  switch (type) {
    case 'decision': {
      const [seq] = lookUp(state.decisions.all, id)?.text_seqs ?? [];
      return seq === undefined ? [] : [{ what: 'proposed', seq: messageOf(state, seq) }];
    }
    case 'question': {
      const { seq, answered_seq } = lookUp(state.questions.all, id) ?? {};
      if (seq === undefined) return [];
      return [
        { what: 'asked', seq: messageOf(state, seq) },
        ...(answered_seq == null ? [] : [answeredAt(messageOf(state, answered_seq))]),
      ];
    }
    case 'finding': {
      const { seq, response, other_response } = lookUp(state.findings.all, id) ?? {};
      const answers = [other_response, response].flatMap((given) => (given ? [given.seq] : []));
      return seq === undefined ? [] : [{ what: 'raised', seq }, ...answers.map(answeredAt)];
    }
    case 'action': {
      const { opened_for, completed_seq } = lookUp(state.actions.all, id) ?? {};
      return [
        ...(opened_for === undefined ? [] : [{ what: 'opened' as const, seq: messageOf(state, opened_for) }]),
        ...(completed_seq === undefined ? [] : [{ what: 'completed' as const, seq: messageOf(state, completed_seq) }]),
      ];
    }
    default:
      return [];
  }
}

const answeredAt = (seq: number): EventAt => ({ what: 'answered', seq });

/** The id of the message that contains an event. For an event inside a turn, the id of the turn. */
function messageOf({ transcript: { messages } }: SessionState, seq: number): number {
  const message = itemAt(messages, lowerBound(messages, (candidate) => candidate.seq > seq) - 1);
  return message?.seq ?? seq;
}

/** Pairs of decisions of which the second superseded the first. The given decision is part of each pair. */
function changesAt({ decisions }: SessionState, decision: Decision): (readonly [Decision, Decision])[] {
  const before = lookUp(decisions.all, decision.supersedes ?? '');
  const after = replacementOf(decisions, decision);
  return [...(before ? [[before, decision] as const] : []), ...(after ? [[decision, after] as const] : [])];
}

function viewReplacing(state: SessionState, id: string, loaded: readonly LoggedEvent[]): Partial<Context> {
  const decision = lookUp(state.decisions.all, id);
  if (!decision) return {};
  const positionOf = ({ position, text_seqs: [seq = 0] }: Decision): string =>
    position ?? storedData(loaded, seq, decisionEvents['decision.proposed']).position;
  const pairs = changesAt(state, decision);
  if (pairs.length === 0) return {};
  return {
    changes: pairs.map(([from, to]) => ({
      from: from.decision_id,
      to: to.decision_id,
      words: wordDiff(positionOf(from), positionOf(to)),
    })),
  };
}

/** The place of a decision in the list of decisions of the latest contract. Empty if the contract does not name it. */
function viewListed({ contract: { latest, outline } }: SessionState, id: string): Partial<Context> {
  const index = outline?.decisions.indexOf(id) ?? -1;
  if (!latest || index < 0) return {};
  return { contract: { revision_id: latest.revision_id, pointer: memberPath('/decisions', index) } };
}

/**
 * The place in the contract that a finding names as its `target`, by a JSON Pointer or by the id of a part of the
 * contract.
 */
function viewPlace(state: SessionState, id: string, document: ReadDocument): Partial<Context> {
  const { target, revision_id } = lookUp(state.findings.all, id) ?? {};
  const revision = target ? lookUp(state.contract.revisions, revision_id ?? '') : undefined;
  if (!target || !revision) return {};
  const text = document(revision.content_hash);
  const { item, pointer = target } = contractItem(text, target) ?? {};
  const value = item ?? valueAt(text, target);
  if (value === undefined || JSON.stringify(value).length > MAX_PLACE_CHARS) return {};
  const part = contractItems(text).find((each) => `${pointer}/`.startsWith(`${each.pointer}/`));
  return { contract: { revision_id: revision.revision_id, pointer, ...(part && { part_id: part.id }), value } };
}
