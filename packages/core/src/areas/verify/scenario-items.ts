import type { Builder } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';
import { missingText } from './evidence-texts.ts';
import type { NextItem } from './next-item.ts';
import { areSystemsReady } from './readiness.ts';
import { openDefectsOf, type Scenario, scenariosOf } from './scenarios.ts';

/** The calls of a builder on scenarios, in order: verdicts, evidence, then starts. */
export function scenarioItems(state: SessionState, builder: Builder): NextItem[] {
  if (!areSystemsReady(state)) return [];
  const runnable = scenariosOf(state).filter(({ waitsFor }) => waitsFor.length === 0);
  return [
    ...runnable.flatMap((scenario) => verdictItems(scenario, builder)),
    ...runnable.flatMap((scenario) => evidenceItems(scenario, builder)),
    ...startItems(state, runnable, builder),
  ];
}

/** The agent that did not start an attempt judges it, once there is evidence to judge. */
function verdictItems({ test, open, evaluation, status }: Scenario, builder: Builder): NextItem[] {
  if (!open || !evaluation || open.startedBy === builder) return [];
  const call = { tool: 'verify_verify', route: 'POST verify/verifications', scenarioId: test.id };
  const payload = { scenario_id: test.id, attempt: open.number };
  if (status === 'AWAITING_VERDICT')
    return [
      {
        ...call,
        payload: { ...payload, verdict: '<PASS or FAIL>', note: '<why>' },
        reason: `Both gave evidence for ${test.id}/${open.number} and nothing in it failed: ${toJudge(test.id, open.number)}`,
      },
    ];
  if (evaluation.failing.length > 0 && evaluation.missing.length === 0)
    return [
      {
        ...call,
        payload: { ...payload, verdict: 'FAIL', note: '<what failed>' },
        reason: `The evidence for ${test.id}/${open.number} holds a failed assertion: ${toJudge(test.id, open.number)}`,
      },
    ];
  return [];
}

/** A sentence with the call that shows the full evidence. */
const toJudge = (id: string, attempt: number): string =>
  `read it with verify_board (scenario_id ${id}, attempt ${attempt}), then give your verdict.`;

function evidenceItems({ test, open, evaluation }: Scenario, builder: Builder): NextItem[] {
  if (!open || !evaluation || evaluation.met) return [];
  const { requestId } = evaluation;
  const isFirst = requestId === null && open.evidence.length === 0;
  if (isFirst && open.startedBy !== builder) return [];
  const own = evaluation.missing.filter((missing) => missing.builder === builder);
  if (own.length === 0) return [];
  const kind = own.find((missing) => missing.kind !== undefined)?.kind;
  return [
    {
      tool: 'verify_submit_evidence',
      route: 'POST verify/evidence',
      payload: {
        scenario_id: test.id,
        attempt: open.number,
        kind: kind ?? '<kind of evidence>',
        claim: '<what it shows>',
        summary: '<what you saw>',
        request_id: requestId ?? '<correlation id seen in the system under test>',
        assertions: [],
      },
      reason: `Your evidence for ${test.id}/${open.number} is missing: ${own.map(missingText).join('; ')}.`,
      scenarioId: test.id,
    },
  ];
}

/** Reruns of failed scenarios first, then scenarios that depend on fixed ones, then stale, then new ones. */
function startItems(state: SessionState, runnable: readonly Scenario[], builder: Builder): NextItem[] {
  const mended = new Set(
    scenariosOf(state)
      .filter(isMended)
      .map(({ test }) => test.id),
  );
  const rank = ({ test, record }: Scenario): number => {
    if (record.outcome === 'FAILED') return 0;
    if (test.depends_on.some((id) => mended.has(id))) return 1;
    return record.outcome === 'STALE' ? 2 : 3;
  };
  return runnable
    .filter((scenario) => isStartable(state, scenario, builder))
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ test, record }) => ({
      tool: 'verify_start_attempt',
      route: 'POST verify/attempts',
      payload: { scenario_id: test.id },
      reason: reasonToStart(test.id, record.outcome),
      scenarioId: test.id,
    }));
}

/** Whether the last two verdicts were a FAIL and then a PASS. */
function isMended({ record }: Scenario): boolean {
  const [before, last] = record.attempts.filter(({ verdict }) => verdict !== null).slice(-2);
  return before?.status === 'FAILED' && last?.status === 'PASSED';
}

const isStartable = (state: SessionState, { test, open, record }: Scenario, builder: Builder): boolean =>
  test.executor === builder && !open && record.outcome !== 'PASSED' && openDefectsOf(state, test.id).length === 0;

function reasonToStart(id: string, outcome: Scenario['record']['outcome']): string {
  if (outcome === 'FAILED') return `${id} failed, and no defect of it is open any more: run it again.`;
  if (outcome === 'STALE') return `${id} passed on commits that are no longer declared: run it again.`;
  return `${id} is ready: run it.`;
}
