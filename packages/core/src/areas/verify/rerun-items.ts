import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { Builder } from '../../kernel/roles.ts';
import type { NextItem } from '../due/next-item.ts';
import type { SessionState } from '../state.ts';
import { evaluateEvidence } from './evaluation.ts';
import { verifyEvents } from './events.ts';
import { type Scenario, scenarioOf } from './scenarios.ts';
import type { EvidenceRef } from './state.ts';

/** An item of evidence that the agent completes. */
type Draft = Readonly<Record<string, unknown>>;

/** Maximum number of items that one call repeats, and of events that one answer reads. */
const MAX_ITEMS = 20;
const MAX_READ = 100;

/** The builder's items in the judged run of the last judged attempt: the former items. */
function formerItems({ test, record }: Scenario, builder: Builder): readonly EvidenceRef[] {
  const former = record.attempts.findLast(({ verdict }) => verdict !== null);
  if (!former) return [];
  const { requestId: run } = evaluateEvidence(former.evidence, test.evidence_policy);
  const own = former.evidence.filter(({ by, requestId }) => by === builder && (run === null || requestId === run));
  return own.slice(0, MAX_ITEMS);
}

/** The former items that the builder has not repeated yet in the open attempt; without one, all former items. */
function itemsToRepeat(scenario: Scenario, builder: Builder): readonly EvidenceRef[] {
  const given = scenario.open?.evidence.filter(({ by }) => by === builder) ?? [];
  return formerItems(scenario, builder).slice(given.length);
}

/** Drafts of the items to repeat in a rerun: each has the kind of the former item, and placeholders for the texts. */
export function draftsToRepeat(scenario: Scenario, builder: Builder): Draft[] {
  const rest = itemsToRepeat(scenario, builder);
  const given = formerItems(scenario, builder).length - rest.length;
  return rest.map(({ kind }, index) => ({
    kind,
    claim: '<what it shows>',
    summary: '<what you saw>',
    request_id: scenario.evaluation?.requestId ?? '<correlation id seen in the system under test>',
    assertions: [],
    evidence_key: `former-${given + index + 1}`,
  }));
}

/** Whether the open attempt meets its policy once the builder has repeated its former items. */
export function isCompletedBy(scenario: Scenario, builder: Builder): boolean {
  const { open, evaluation, test } = scenario;
  // Without a common request_id the builder chooses one; under that of a run with a failed assertion no PASS would be possible.
  if (!open || !evaluation || evaluation.failing.length > 0) return false;
  const repeated = itemsToRepeat(scenario, builder).map((item) => ({
    ...item,
    isFailing: false,
    requestId: evaluation.requestId ?? item.requestId,
  }));
  return repeated.length > 0 && evaluateEvidence([...open.evidence, ...repeated], test.evidence_policy).met;
}

/** Numbers of the events with the former evidence for these calls. */
export const formerSeqs = (state: SessionState, builder: Builder, items: readonly NextItem[]): number[] =>
  items
    .flatMap((item) => (repeats(item) ? itemsToRepeat(scenarioOf(state, item.scenarioId), builder) : []))
    .slice(0, MAX_READ)
    .map(({ seq }) => seq);

/** The calls; each call of a rerun gets the former claims and assertions. The agent fills in what it sees now. */
export function withFormerTexts(
  state: SessionState,
  builder: Builder,
  items: readonly NextItem[],
  loaded: readonly LoggedEvent[],
): NextItem[] {
  const events = new Map(loaded.map((event) => [event.seq, event]));
  return items.map((item) => {
    if (!repeats(item)) return item;
    const former = itemsToRepeat(scenarioOf(state, item.scenarioId), builder).map(({ seq }) =>
      textsOf(events.get(seq)),
    );
    const { evidence, ...payload } = item.payload;
    if (!Array.isArray(evidence)) return { ...item, payload: { ...payload, ...former[0] } };
    return {
      ...item,
      payload: { ...payload, evidence: evidence.map((draft, index) => ({ ...draft, ...former[index] })) },
    };
  });
}

/** Whether a call repeats former evidence: either the items in `evidence`, or the call itself is one item. */
const repeats = (item: NextItem): item is NextItem & { readonly scenarioId: string } =>
  item.scenarioId !== undefined && ('evidence' in item.payload || 'evidence_key' in item.payload);

/** Claim and assertions of former evidence. Checks the event: after a failover a number may belong to another event. */
function textsOf(event: LoggedEvent | undefined): Draft {
  const parsed = verifyEvents['evidence.submitted'].data.safeParse(event?.data);
  if (!parsed.success) return {};
  const { claim, assertions } = parsed.data;
  const open = { actual: '<what you saw>', passed: '<true or false>' };
  return { claim, assertions: assertions.map(({ name, expected }) => ({ name, expected, ...open })) };
}
