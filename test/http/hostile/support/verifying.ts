import type { AgentClient, Builder } from '@parley/core';
import type { ToolInput } from '@parley/core/client';
import { seenIn } from '@parley/core/testing';
import type { Session } from './session.ts';
import type { Look } from './story.ts';

/**
 * Plays VERIFY and RELEASE. Each test of the contract fails once. One defect is fixed, the other waived. Then the owner
 * refuses the deployment once, carries both passes over to another commit, authorizes the deployment and the activation, and ends the session.
 */
export async function playVerify(session: Session, look: Look): Promise<void> {
  const { owner, sessionId, agentA, agentB, pen } = session;
  await declare(session, 'agent_a', 'aaaaaa1', pen.write('agent_a', 'verify_handshake fixture_version', 200));
  await declare(session, 'agent_b', 'bbbbbb1');
  await look('another fixture');
  await declare(session, 'agent_a', 'aaaaaa1');
  await failFirst(session, look);
  await agentB.call('verify_handshake', handshakeOf(session, 'agent_b', 'bbbbbb2'));
  await agentB.call('verify_submit_fix', { defect_id: 'def_1', note: pen.write('agent_b', 'verify_submit_fix note') });
  await look('mended');
  await pass(session, { id: 'test-1', attempt: 2, executor: agentA, judge: agentB, judgedBy: 'agent_b' });
  await agentB.call('verify_start_attempt', { scenario_id: 'test-2' });
  await judge(session, 'agent_a', agentA, { scenario_id: 'test-2', attempt: 1, verdict: 'FAIL' });
  await look('failed again');
  const given = { defect_id: 'def_2', role: 'agent_b', reason: pen.write('owner', 'reassignDefect reason') } as const;
  await owner.reassignDefect(sessionId, { ...given, seen: await seenIn(owner, sessionId) });
  await owner.waiveDefect(sessionId, {
    defect_id: 'def_2',
    reason: pen.write('owner', 'waiveDefect reason'),
    seen: await seenIn(owner, sessionId),
  });
  await pass(session, { id: 'test-2', attempt: 2, executor: agentB, judge: agentA, judgedBy: 'agent_a' });
  const [gateNote, endNote] = [pen.write('agent_a', 'complete_action note'), pen.write('owner', 'end note')];
  await refuseOnce(session);
  await look('refused');
  await pass(session, { id: 'test-2', attempt: 3, executor: agentB, judge: agentA, judgedBy: 'agent_a' });
  await carryOver(session);
  await giveRuns(session, look);
  await look('carried over');
  await owner.authorize(sessionId, { stage: 'deployment', seen: await seenIn(owner, sessionId) });
  const { actions } = await agentA.call('poll_actions', {});
  const report = actions.find(({ type }) => type === 'REPORT_GATES');
  const found = { kind: 'fault', text: pen.write('agent_a', 'complete_action followups[].text', 2_000) } as const;
  await agentA.call('complete_action', { action_id: report?.action_id ?? '', note: gateNote, followups: [found] });
  await agentA.call('verify_gate', { gate_id: 'gate-activation', run: await gateRunOf(session) });
  await look('deployed');
  await owner.authorize(sessionId, { stage: 'activation', seen: await seenIn(owner, sessionId) });
  await owner.end(sessionId, { end_reason: 'COMPLETED', note: endNote });
  await look('ended');
}

/** The owner refuses the deployment for a fault of test-2, and waives the defect. The scenario has to run again. */
async function refuseOnce({ owner, sessionId, pen }: Session): Promise<void> {
  await owner.refuseStep(sessionId, {
    ...{ stage: 'deployment', scenario_id: 'test-2', reason: pen.write('owner', 'refuseStep reason') },
    seen: await seenIn(owner, sessionId),
  });
  const waived = { defect_id: 'def_3', reason: pen.write('owner', 'waiveDefect reason') };
  await owner.waiveDefect(sessionId, { ...waived, seen: await seenIn(owner, sessionId) });
}

/** agent_b declares another commit and what it changes, and the owner carries both passes over. */
async function carryOver(session: Session): Promise<void> {
  const { owner, sessionId, agentB, pen } = session;
  const changes = { bbbbbb2: [pen.write('agent_b', 'verify_handshake changes', 500)] };
  await agentB.call('verify_handshake', { ...handshakeOf(session, 'agent_b', 'bbbbbb3'), changes });
  for (const scenario_id of ['test-1', 'test-2'])
    await owner.carryPass(sessionId, {
      ...{ scenario_id, reason: pen.write('owner', 'carryPass reason') },
      seen: await seenIn(owner, sessionId),
    });
}

/** Both agents give runs of test-3, whose reports show the tests that the contract names. */
async function giveRuns(session: Session, look: Look): Promise<void> {
  const { agentA, agentB, pen } = session;
  await agentA.call('verify_start_attempt', { scenario_id: 'test-3' });
  await look('run demanded');
  const requestId = requestIdOf(session, 'agent_a');
  for (const [by, agent, commit] of [
    ['agent_a', agentA, 'aaaaaa1'],
    ['agent_b', agentB, 'bbbbbb3'],
  ] as const) {
    const { scenarios } = await agent.call('verify_board', { scenario_id: 'test-3' });
    const names = scenarios[0]?.demands?.per_agent_tests?.[by] ?? [];
    const argv = [pen.write(by, 'verify_submit_evidence run', 400)];
    const run = runOf(session, by, { argv, names, commit });
    await give(session, by, agent, { scenario_id: 'test-3', attempt: 1, requestId, run });
  }
  await judge(session, 'agent_b', agentB, { scenario_id: 'test-3', attempt: 1, verdict: 'PASS' });
}

/** The run of the command that the gate of the activation names. */
async function gateRunOf(session: Session): Promise<Run> {
  const { contract } = await session.agentA.call('get_final_plan', {});
  const gates: readonly { readonly run?: { command: string; tests: string[] } }[] = Object(contract).gates;
  const { command = '', tests = [] } = gates.find(({ run }) => run)?.run ?? {};
  return runOf(session, 'agent_a', { argv: [command], names: tests, commit: 'aaaaaa1', field: 'verify_gate run' });
}

type Run = NonNullable<ToolInput<'verify_gate'>['run']>;

interface Ran {
  readonly argv: string[];
  readonly names: readonly string[];
  readonly commit: string;
  readonly field?: string;
}

function runOf({ pen }: Session, by: Builder, { argv, names, commit, field = 'verify_submit_evidence run' }: Ran): Run {
  const suite = pen.write(by, field, 300);
  const tests = names.map((name) => ({ name, suite, status: 'passed' as const }));
  const counts = { passed: tests.length, failed: 0, skipped: 0 };
  return {
    ...{ argv, exit_code: 0, duration_ms: 1, commit: commit.padEnd(40, '0'), dirty: false },
    report: { format: 'junit', sha256: 'd'.repeat(64), size: 1, ...counts, tests },
    output: pen.write(by, field, 1_000),
  };
}

function handshakeOf({ pen, fixtureVersion }: Session, builder: Builder, commit: string, fixture = fixtureVersion) {
  const text = (field: string) => pen.write(builder, `verify_handshake ${field}`, 200);
  return {
    ...{ service: text('service'), version: text('version'), commit, environment: 'staging' },
    ...{ ready: true, dependencies_healthy: true, branch: text('branch'), capabilities: [text('capabilities[]')] },
    address: text('address'),
    fixture_version: fixture,
    interfaces: [text('interfaces[]'), { name: text('interfaces[].name'), version: text('interfaces[].version') }],
  };
}

async function declare(session: Session, builder: Builder, commit: string, fixture?: string): Promise<void> {
  const agent = builder === 'agent_a' ? session.agentA : session.agentB;
  await agent.call('verify_handshake', handshakeOf(session, builder, commit, fixture));
}

interface Item {
  readonly scenario_id: string;
  readonly attempt: number;
  readonly requestId: string;
  readonly passed?: boolean;
  readonly run?: Run;
}

async function give({ pen }: Session, by: Builder, agent: AgentClient, item: Item): Promise<void> {
  const { scenario_id, attempt, requestId, passed = true, run } = item;
  const text = (field: string, maxChars?: number) => pen.write(by, `verify_submit_evidence ${field}`, maxChars);
  await agent.call('verify_submit_evidence', {
    ...{ scenario_id, attempt, kind: 'log', claim: text('claim', 1_000), summary: text('summary') },
    request_id: requestId,
    ...(run && { run }),
    assertions: [
      {
        name: text('assertions[].name', 200),
        expected: { [text('assertions[].expected')]: text('assertions[].expected') },
        actual: text('assertions[].actual'),
        passed,
      },
    ],
  });
}

const requestIdOf = ({ pen }: Session, by: Builder): string => pen.write(by, 'verify_submit_evidence request_id', 200);

interface Judgement {
  readonly scenario_id: string;
  readonly attempt: number;
  readonly verdict: 'PASS' | 'FAIL';
}

const judge = ({ pen }: Session, by: Builder, agent: AgentClient, judgement: Judgement): Promise<unknown> =>
  agent.call('verify_verify', {
    ...judgement,
    note: pen.write(by, 'verify_verify note'),
    followups: [{ kind: 'question', text: pen.write(by, 'verify_verify followups[].text', 2_000) }],
    ...(judgement.verdict === 'PASS' ? { deviations: [pen.write(by, 'verify_verify deviations[]', 1_000)] } : {}),
  });

/** An assertion of agent_a fails, and agent_b judges the attempt as failed. */
async function failFirst(session: Session, look: Look): Promise<void> {
  const { agentA, agentB } = session;
  const at = { scenario_id: 'test-1', attempt: 1 };
  await agentA.call('verify_start_attempt', { scenario_id: 'test-1' });
  const requestId = requestIdOf(session, 'agent_a');
  await give(session, 'agent_a', agentA, { ...at, requestId, passed: false });
  await look('failing evidence');
  await give(session, 'agent_b', agentB, { ...at, requestId });
  await look('evidence of both');
  await judge(session, 'agent_b', agentB, { ...at, verdict: 'FAIL' });
}

interface Rerun {
  readonly id: string;
  readonly attempt: number;
  readonly executor: AgentClient;
  readonly judge: AgentClient;
  readonly judgedBy: Builder;
}

async function pass(session: Session, { id, attempt, executor, judge: other, judgedBy }: Rerun): Promise<void> {
  await executor.call('verify_start_attempt', { scenario_id: id });
  const by = judgedBy === 'agent_a' ? 'agent_b' : 'agent_a';
  const requestId = requestIdOf(session, by);
  await give(session, by, executor, { scenario_id: id, attempt, requestId });
  await give(session, judgedBy, other, { scenario_id: id, attempt, requestId });
  await judge(session, judgedBy, other, { scenario_id: id, attempt, verdict: 'PASS' });
}
