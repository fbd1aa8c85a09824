import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import { termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { about, type Task } from '../task.ts';
import { missingGates } from '../verify/certification.ts';
import { unfixedDefects } from '../verify/defects.ts';
import { workflowNote } from '../verify/given-evidence.ts';
import {
  areSystemsReady,
  missingWords,
  openDefectsOf,
  type Scenario,
  scenariosOf,
  stalePassOf,
  staleWords,
} from '../verify/scenarios.ts';
import { MAX_SCENARIOS } from '../verify/schemas.ts';
import type { Attempt } from '../verify/state.ts';
import { blankItem, draftsToGive, draftsToRepeat, isCompletedBy } from './former-evidence.ts';

/**
 * The calls of a builder about scenarios. Verdicts come first, then evidence, then new attempts. Empty unless
 * `areSystemsReady`.
 */
export function scenarioTasks(state: SessionState, builder: Builder): Task[] {
  if (!areSystemsReady(state)) return [];
  const runnable = inOrder(scenariosOf(state)).filter(({ waitsFor }) => waitsFor.length === 0);
  const { address } = state.verify.handshakes[otherBuilder(builder)] ?? {};
  const toRun = [
    ...runnable.flatMap((scenario) => evidenceTasks(state, scenario, builder)),
    ...startTasks(state, runnable, builder),
  ];
  return inOneCall([
    ...runnable.flatMap((scenario) => verdictTasks(scenario, builder)),
    ...runnable.flatMap((scenario) => carryTasks(state, scenario, builder)),
    ...gateTasks(state, builder),
    ...(address === undefined ? toRun : toRun.map((task) => ({ ...task, other_address: address }))),
  ]);
}

/** The tasks of which one call settles several, in the words of the agents. */
const SEVERAL: Partial<Record<Task['code'], string>> = { GIVE_VERDICT: 'verdicts', START_ATTEMPT: 'starts' };

/** Adds to tasks that one call settles together that it does. */
function inOneCall(tasks: readonly Task[]): Task[] {
  return tasks.map((task) => {
    const what = SEVERAL[task.code];
    if (what === undefined || tasks.every((other) => other === task || other.code !== task.code)) return task;
    return {
      ...task,
      text: `${task.text} One call takes up to ${MAX_SCENARIOS} due ${what}, all but the first in others.`,
    };
  });
}

/**
 * The runs that gates demand of a builder: once all scenarios have passed, and for the activation after the deployment, unless
 * the owner decides both at once.
 */
function gateTasks(state: SessionState, builder: Builder): Task[] {
  if (scenariosOf(state).some(({ status }) => status !== 'PASSED')) return [];
  const { deployment_authorized: isDeployed } = state.manifest;
  return [
    ...(isDeployed ? [] : missingGates(state, 'deployment')),
    ...(isDeployed || termsOf(state).releasesAtOnce ? missingGates(state, 'activation') : []),
  ]
    .filter(({ run }) => run.by === builder)
    .map(({ gate_id, run, missing }) => {
      const report = run.tests && run.tests.length > 0 ? ' --junit FILE' : '';
      return {
        ...about('RUN_GATE', builder, { type: 'gate', id: gate_id }),
        tool: 'verify_gate',
        payload: { gate_id, run: `<parley verify run --gate ${gate_id} makes it>` },
        text: `Gate ${gate_id} is missing ${missing.join('; ')}. \`parley verify run --gate ${gate_id}${report} -- COMMAND\` in your repository runs and sends it${run.command === undefined ? '' : '; COMMAND is the command that the contract names for the gate'}.`,
      };
    });
}

/**
 * Sorts scenarios: failed scenarios first, then scenarios that depend on a repaired scenario, then stale scenarios,
 * then all others. Within each group they are in the order of the contract.
 */
const inOrder = memoizeBy((scenarios: readonly Scenario[]): Scenario[] => {
  const repaired = new Set(scenarios.filter(isRepaired).map(({ test }) => test.id));
  const rank = ({ test, record }: Scenario): number => {
    if (record.outcome === 'FAILED') return 0;
    if (test.depends_on.some((id) => repaired.has(id))) return 1;
    return record.outcome === 'STALE' ? 2 : 3;
  };
  return scenarios.toSorted((one, other) => rank(one) - rank(other));
});

type Call = Required<Pick<Task, 'tool' | 'payload' | 'text'>>;

/** A task about a scenario. A builder has at most one task of each code about a scenario. */
const scenarioTask = (code: Task['code'], due_to: Builder, scenario_id: string, call: Call): Task => ({
  ...about(code, due_to, { type: 'scenario', id: scenario_id }),
  ...call,
  scenario_id,
});

/** The call with which a builder judges an open attempt of the other builder, if no evidence is missing. */
function verdictTasks({ test, open, evaluation, status }: Scenario, builder: Builder): Task[] {
  if (!open || !evaluation || open.started_by === builder) return [];
  const tool = 'verify_verify';
  const payload = { scenario_id: test.id, attempt: open.attempt };
  if (status === 'AWAITING_VERDICT')
    return [
      scenarioTask('GIVE_VERDICT', builder, test.id, {
        tool,
        payload: { ...payload, verdict: '<PASS or FAIL>', note: '<why>' },
        text: `The evidence for ${test.id}/${open.attempt} meets its policy: ${toJudge(open)}`,
      }),
    ];
  if (evaluation.failing.length > 0 && evaluation.missing.length === 0)
    return [
      scenarioTask('GIVE_VERDICT', builder, test.id, {
        tool,
        payload: { ...payload, verdict: 'FAIL', note: '<what failed>' },
        text: `The evidence for ${test.id}/${open.attempt} contains a failed assertion: ${toJudge(open)}`,
      }),
    ];
  return [];
}

/** The call with which a builder carries a stale pass over, if the contract lets it and the changes are declared. */
function carryTasks(state: SessionState, scenario: Scenario, builder: Builder): Task[] {
  const stale = stalePassOf(state, scenario);
  if (!stale || stale.carrier !== builder || stale.silent.length > 0) return [];
  const { id, executor } = scenario.test;
  const { attempt } = stale.pass;
  const rerun =
    executor === builder ? 'run the scenario again with verify_start_attempt' : `${executor} runs the scenario again`;
  const commit = state.verify.handshakes[otherBuilder(builder)]?.commit ?? '';
  return [
    scenarioTask('CARRY_PASS', builder, id, {
      tool: 'verify_verify',
      payload: {
        scenario_id: id,
        attempt,
        verdict: 'CARRY',
        commit,
        note: '<why no path can change the result>',
      },
      text: `${staleWords(id, stale)}. If none of them can change the result, carry the pass over; otherwise leave this call out, and ${rerun}.`,
    }),
  ];
}

/** The end of a sentence that asks for a verdict and names where the evidence is. */
const toJudge = ({ started_by }: Attempt, what = 'your verdict'): string =>
  `read what ${started_by} gave (given, else verify_board), then give ${what}.`;

function evidenceTasks(state: SessionState, scenario: Scenario, builder: Builder): Task[] {
  const { test, open, evaluation } = scenario;
  if (!open || !evaluation || evaluation.met) return [];
  const { request_id } = evaluation;
  const isFirst = request_id === null && open.evidence.length === 0;
  if (isFirst && open.started_by !== builder) return [];
  const own = evaluation.missing.filter((missing) => missing.builder === builder);
  // No call of an agent gives a run of a workflow.
  if (own.length === 0 || test.evidence_policy?.level === 'ci') return [];
  const [repeated] = draftsToRepeat(scenario, builder);
  const toGive = draftsToGive(scenario, builder);
  const isLast = own.length === evaluation.missing.length || isCompletedBy(scenario, builder);
  if (open.started_by !== builder && toGive.length > 0 && isLast) return [judgeTask(scenario, open, toGive)];
  const kind = own.flatMap((missing) => ('kind' in missing ? missing.kind : []))[0];
  return [
    scenarioTask('GIVE_EVIDENCE', builder, test.id, {
      tool: 'verify_submit_evidence',
      payload: {
        scenario_id: test.id,
        attempt: open.attempt,
        ...(repeated ?? { ...blankItem(scenario, kind), assertions: [] }),
      },
      text: `Your evidence for ${test.id}/${open.attempt} is missing: ${own.map(missingWords).join('; ')}.${runNote(state, scenario, builder)}`,
    }),
  ];
}

/** Which report of a workflow an open attempt lacks, first of the builder itself. Empty if there is none. */
export function awaitedReport(state: SessionState, builder: Builder): string {
  const lacking = scenariosOf(state).flatMap(({ test, open, evaluation }) =>
    test.evidence_policy?.level === 'ci' && open && evaluation
      ? evaluation.missing.map((missing) => ({ of: missing.builder, attempt: `${test.id}/${open.attempt}`, missing }))
      : [],
  );
  const first = lacking.find(({ of }) => of === builder) ?? lacking[0];
  if (!first) return '';
  const { of, attempt, missing } = first;
  return `Attempt ${attempt} lacks of ${of}: ${missingWords(missing)}.${workflowNote(state, of)}`;
}

/** How a builder gives the run that the contract demands of it. Empty if the contract demands none. */
function runNote(state: SessionState, { test, evaluation }: Scenario, builder: Builder): string {
  const { level = 'claimed', per_agent_tests = {}, per_agent_kinds = {} } = test.evidence_policy ?? {};
  const names = per_agent_tests[builder] ?? [];
  if (level === 'ci') return workflowNote(state, builder);
  if (level === 'claimed' && names.length === 0) return '';
  const report = names.length > 0 ? ' --junit FILE' : '';
  const kinds = evaluation
    ? evaluation.missing.flatMap((one) => (one.builder === builder && 'kind' in one ? one.kind : []))
    : (per_agent_kinds[builder] ?? []);
  // Without --kind, a run is of kind test_report if it has a report, and otherwise of kind log.
  const kind = kinds.includes(report ? 'test_report' : 'log')
    ? ''
    : kinds
        .slice(0, 1)
        .map((one) => ` --kind ${one}`)
        .join('');
  const side = test.executor === builder ? '' : ' --as verifier';
  return ` The contract demands a run: \`parley verify run --scenario ${test.id}${report}${kind}${side} -- COMMAND\` in your repository runs COMMAND and sends the evidence${side ? '' : ', and starts the attempt if none is open'}.`;
}

/** The call with which a builder judges an attempt that lacks only its own evidence. The call contains both evidence and verdict. */
function judgeTask({ test: { id }, record, evaluation }: Scenario, open: Attempt, evidence: readonly unknown[]): Task {
  const { attempt, started_by } = open;
  const hasFailed = (evaluation?.failing.length ?? 0) > 0;
  const isRerun = record.attempts.some(({ verdict }) => verdict !== null);
  const why = hasFailed ? 'contains a failed assertion' : isRerun ? 'is a rerun' : 'lacks only your evidence';
  const said = hasFailed ? { verdict: 'FAIL', note: '<what failed>' } : { verdict: '<PASS or FAIL>', note: '<why>' };
  return scenarioTask('GIVE_VERDICT', otherBuilder(started_by), id, {
    tool: 'verify_verify',
    payload: { scenario_id: id, attempt, ...said, evidence },
    text: `Attempt ${id}/${attempt} ${why}: ${toJudge(open, 'your evidence and your verdict')}`,
  });
}

/**
 * The calls that start attempts. A stale scenario waits while the fix of a defect needs another commit, which would make
 * its pass stale again.
 */
function startTasks(state: SessionState, runnable: readonly Scenario[], builder: Builder): Task[] {
  const [unfixed] = unfixedDefects(state.verify);
  const startable = runnable.filter(
    (scenario) => isStartable(state, scenario, builder) && !(unfixed && scenario.record.outcome === 'STALE'),
  );
  return startable.map((scenario) => {
    const { test, record } = scenario;
    const evidence = draftsToGive(scenario, builder);
    const reason = `${reasonToStart(test.id, record.outcome)}${record.outcome === null ? otherNote(scenario, builder) : ''}${refusalNote(state, test.id, record.outcome)}${runNote(state, scenario, builder)}${carryNote(state, scenario, builder)}`;
    return scenarioTask('START_ATTEMPT', builder, test.id, {
      tool: 'verify_start_attempt',
      payload: { scenario_id: test.id, ...(evidence.length > 0 ? { evidence } : {}) },
      text: unfixed
        ? `${reason} Defect ${unfixed.defect_id} is open: the commit that fixes it makes a pass stale.`
        : reason,
    });
  });
}

/** Whether the scenario was repaired: its last two verdicts were FAIL and then PASS. */
function isRepaired({ record }: Scenario): boolean {
  const [before, last] = record.attempts.filter(({ verdict }) => verdict !== null).slice(-2);
  return before?.status === 'FAILED' && last?.status === 'PASSED';
}

/** The kinds of evidence that the other builder has to give. Empty if the contract names none, or demands a run. */
function otherNote(scenario: Scenario, builder: Builder): string {
  const other = otherBuilder(builder);
  const kinds = draftsToGive(scenario, other).map(({ kind }) => String(kind));
  const named = [...new Set(kinds)].filter((kind) => !kind.startsWith('<'));
  return named.length > 0 ? ` ${other} then gives ${named.join(', ')} of its own.` : '';
}

const isStartable = (state: SessionState, { test, open, record }: Scenario, builder: Builder): boolean =>
  test.executor === builder && !open && record.outcome !== 'PASSED' && openDefectsOf(state, test.id).length === 0;

function reasonToStart(id: string, outcome: Scenario['record']['outcome']): string {
  if (outcome === 'FAILED')
    return `Scenario ${id} failed, and none of its defects is open any more: run it again with verify_start_attempt.`;
  if (outcome === 'STALE')
    return `Scenario ${id} passed on commits that are no longer declared: run it again with verify_start_attempt.`;
  return `Scenario ${id} is ready: start it with verify_start_attempt, with what you saw in evidence if you have run it.`;
}

/** Where the executor reads why the owner refused the last pass. Empty if no refusal made the scenario fail. */
function refusalNote({ verify }: SessionState, id: string, outcome: Scenario['record']['outcome']): string {
  const last = valuesOf(verify.defects).findLast(({ scenario_id }) => scenario_id === id);
  if (outcome !== 'FAILED' || !last?.refusal) return '';
  return ` The owner refused the ${last.refusal.stage} for it: message ${last.failed_seq} says why (read_messages, after ${last.failed_seq - 1}).`;
}

/** That the pass may be carried over instead of a rerun, or what the builder has to declare for that. */
function carryNote(state: SessionState, scenario: Scenario, builder: Builder): string {
  const stale = stalePassOf(state, scenario);
  if (!stale) return '';
  const who = stale.carrier && stale.carrier !== builder ? `${stale.carrier} or the owner` : 'the owner';
  if (stale.silent.length === 0)
    return stale.carrier === builder
      ? ''
      : ` ${capitalized(who)} can carry the pass over instead: wait for that with wait_for_my_turn.`;
  if (!stale.silent.includes(builder)) return '';
  return ` The contract lets ${who} carry the pass over: for that, declare in changes of verify_handshake what differs from ${stale.pass.commits[builder]}.`;
}

const capitalized = (who: string): string => (who === 'the owner' ? 'The owner' : who);
