import type { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { costOf, type LeftOut } from '../../../kernel/operation/bounded-lists.ts';
import { LIST_COST } from '../../listing.ts';
import { pickOf } from '../../pick.ts';
import { verifyEvents } from '../events.ts';
import { type Attempt, type AttemptView, type Evidence, EvidenceRef, type EvidenceView } from '../record.ts';
import { evaluateEvidence } from '../scenarios/evaluation.ts';
import { passOf, type Scenario } from '../scenarios/scenarios.ts';
import { type FullScenario, type ScenarioView, viewEvaluation, viewTest } from '../schemas.ts';

/** Maximum number of attempts shown for each scenario on a board with all scenarios. */
const SHOWN_ATTEMPTS = 5;
/** Maximum number of items of evidence shown for the latest attempt of each scenario on a board with all scenarios. */
const SHOWN_ITEMS = 20;

type ShownItem = z.output<typeof EvidenceView>;

const viewItem = pickOf(EvidenceRef);

/** The items of evidence of an attempt that fit into the answer, and a note about the items that do not fit. */
interface ShownEvidence {
  readonly evidence: ShownItem[];
  readonly left_out?: LeftOut;
}

/**
 * The short view of a scenario that has passed without deviations, for an agent that reads the whole board. Undefined
 * for other scenarios.
 */
export function viewPassed({ test, status, record }: Scenario): z.output<typeof ScenarioView> | undefined {
  const pass = status === 'PASSED' ? passOf(record) : undefined;
  if (!pass || pass.verdict?.deviations) return undefined;
  const passed = { attempt: pass.attempt, evidence_count: pass.evidence.length };
  return { scenario_id: test.id, status, attempts: [], passed, ...viewCarried(record) };
}

/** A scenario on a board with all scenarios: its latest attempts, and the evidence of the last attempt only. */
export function viewScenario(scenario: Scenario, tool: string): FullScenario {
  const { test, record } = scenario;
  const latest = record.attempts.at(-1);
  return viewWith(scenario, tool, record.attempts.slice(-SHOWN_ATTEMPTS), (attempt) =>
    attempt === latest ? latestItems(attempt, callFor(tool, test.id, attempt.attempt)) : { evidence: [] },
  );
}

/** The scenario that the call names: the requested attempt, and a page of its evidence in full. */
export function viewAsked(
  scenario: Scenario,
  asked: AskedAttempt,
  tool: string,
  loaded: readonly LoggedEvent[],
): FullScenario {
  const { attempt } = asked;
  const call = callFor(tool, scenario.test.id, attempt?.attempt ?? 1);
  const shown = scenario.record.attempts.slice(-SHOWN_ATTEMPTS);
  const attempts = attempt && !shown.includes(attempt) ? [attempt, ...shown.slice(1)] : shown;
  return viewWith(scenario, tool, attempts, (each) =>
    each === attempt ? evidencePage(asked.items, loaded, call) : { evidence: [] },
  );
}

/** The requested attempt, and its items of evidence whose event numbers are greater than `after` of the call. */
export interface AskedAttempt {
  /** Undefined if the scenario has no attempts. */
  readonly attempt: Attempt | undefined;
  readonly items: readonly Evidence[];
}

export function askedAttempt(
  { test, record: { attempts } }: Scenario,
  { attempt: number, after = 0 }: { readonly attempt?: number | undefined; readonly after?: number | undefined },
): AskedAttempt {
  const attempt = number === undefined ? attempts.at(-1) : attempts.find((each) => each.attempt === number);
  const id = `${test.id}/${number}`;
  if (number !== undefined && !attempt)
    fail('UNKNOWN_RECORD', `There is no attempt ${id}.`, { record: { type: 'attempt', id } });
  return { attempt, items: (attempt?.evidence ?? []).filter(({ message_id }) => message_id > after) };
}

const callFor = (tool: string, id: string, attempt: number): string =>
  `Call ${tool} with scenario_id: "${id}" and attempt: ${attempt}`;

function viewWith(
  { test, status, record, waitsFor }: Scenario,
  tool: string,
  attempts: readonly Attempt[],
  evidenceOf: (attempt: Attempt) => ShownEvidence,
): FullScenario {
  const waiting = status === 'WAITING' ? `Waits for ${waitsFor.join(', ')}.` : null;
  const left = record.attempts.length - attempts.length;
  return {
    scenario_id: test.id,
    title: test.title,
    status,
    reason: status === 'STALE' ? record.reason : waiting,
    ...viewCarried(record),
    ...viewTest(test),
    attempts: attempts.map((attempt) => viewAttempt(attempt, test.evidence_policy, evidenceOf(attempt))),
    ...(left > 0 ? { left_out: { count: left, how: `${callFor(tool, test.id, 1)}, or another attempt number.` } } : {}),
  };
}

const viewAttempt = (
  { attempt, status, started_by, started_at, commits, evidence: items, verdict, reason }: Attempt,
  policy: Scenario['test']['evidence_policy'],
  shown: ShownEvidence,
): z.output<typeof AttemptView> => ({
  attempt,
  status,
  started_by,
  started_at,
  commits,
  evidence_count: items.length,
  evaluation: viewEvaluation(evaluateEvidence(items, policy)),
  verdict,
  reason,
  ...shown,
});

/** The member `carried` of a scenario. Empty unless its pass was carried over. */
const viewCarried = ({ carried }: Scenario['record']) => (carried ? { carried } : {});

function latestItems({ evidence }: Attempt, call: string): ShownEvidence {
  const left = evidence.length - SHOWN_ITEMS;
  const shown = evidence.slice(-SHOWN_ITEMS).map(viewItem);
  return left > 0
    ? { evidence: shown, left_out: { count: left, how: `${call} for all items of evidence.` } }
    : { evidence: shown };
}

/** The first items of evidence that fit into the answer, but at least one item. */
function evidencePage(items: readonly Evidence[], loaded: readonly LoggedEvent[], call: string): ShownEvidence {
  const bodies = new Map(loaded.map((event) => [event.seq, event]));
  const evidence: ShownItem[] = [];
  let cost = 0;
  for (const item of items) {
    const event = bodies.get(item.message_id);
    if (!event) break;
    const whole = { ...viewItem(item), ...bodyOf(event) };
    cost += costOf(whole);
    if (evidence.length > 0 && cost > LIST_COST) break;
    evidence.push(whole);
  }
  const left = items.length - evidence.length;
  if (left === 0) return { evidence };
  return { evidence, left_out: { count: left, how: `${call} and after: ${evidence.at(-1)?.message_id ?? 0}.` } };
}

/**
 * The members of an item of evidence, read from the event of the item. Empty if the event is of another kind, because
 * after a failover another event can have the same number.
 */
function bodyOf({ data, at }: LoggedEvent): Partial<ShownItem> {
  const parsed = verifyEvents['evidence.submitted'].data.safeParse(data);
  if (!parsed.success) return {};
  const { claim, summary, assertions, commit } = parsed.data;
  return { claim, summary, assertions, commit, submitted_at: at };
}
