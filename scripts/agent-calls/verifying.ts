import type { Builder } from '@parley/core';
import type { FixedServer } from './fixed-server.ts';
import type { Transcript } from './transcript.ts';

const ANSWERS = {
  agent_a: [
    '200 and 201 end a refund; 409 and lost answers are tried again once a minute for an hour, one at a time.',
    'A retry under another id would pay twice.',
  ],
  agent_b: [
    '201 for a new refund_id and 200 with the first refund for a repeated one; 409 while it is being paid.',
    'A repair by hand would edit the ledger.',
  ],
} as const;

export async function getReady(server: FixedServer, t: Transcript, sessionId: string): Promise<void> {
  t.heading('Getting ready');
  await t.call('agent_a', 'GET artifacts', { show: ['artifacts.filename', 'artifacts.sha256', 'authorizations'] });
  await t.call('agent_a', 'GET artifacts/fetch?filename=handoff-agent-a.md', {
    show: ['filename', 'sha256', 'content'],
  });
  t.say('The agent confirms each file with the checksum that it has computed from the received content:');
  await confirmReceipts(server, t, sessionId, 'agent_a');
  await t.call('agent_a', 'GET readiness', { show: ['questions.question_id', 'questions.text', 'questions.kind'] });
  await t.call('agent_a', 'POST readiness', {
    body: await reportOf(server, sessionId, 'agent_a'),
    send: ['revision_id', 'verdict', 'answers'],
    show: ['both_ready'],
  });
  await confirmReceipts(server, t, sessionId, 'agent_b');
  t.say("When the second agent reports, both are ready, and each can read the other's answers:");
  const body = await reportOf(server, sessionId, 'agent_b');
  const show = ['both_ready', 'readiness.by', 'readiness.answers', 'to_confirm'];
  const { to_confirm } = await t.call('agent_b', 'POST readiness', { body, send: ['verdict'], show });
  t.say(
    "Agent B disputes none of Agent A's answers, and confirms all of them with one call. Agent A does the same with Agent B's answers:",
  );
  const { action_id } = Object(to_confirm);
  await t.call('agent_b', 'POST actions/complete', { body: { action_id }, show: ['action.type', 'action.status'] });
  const { actions } = await server.owner.view(sessionId);
  const own = actions.find(({ type, due_to }) => type === 'CONFIRM_ANSWERS' && due_to === 'agent_a');
  await t.ask('agent_a', 'POST actions/complete', { body: { action_id: own?.action_id } });
  await authorize(server, sessionId, 'build');
  t.say('The owner authorizes the build, and both agents write code.');
}

/** Confirms all artifacts of a builder. docs/agent-guide.md shows one of these calls, by Agent A. */
async function confirmReceipts(
  { owner }: FixedServer,
  t: Transcript,
  sessionId: string,
  agent: Builder,
): Promise<void> {
  const { manifest } = await owner.view(sessionId);
  const files = (manifest?.artifacts ?? []).filter(({ assigned_to }) => assigned_to.includes(agent));
  for (const [place, { filename, sha256 }] of files.entries()) {
    const body = { filename, sha256 };
    const print = await t.ask(agent, 'POST artifacts/receipt', { body, show: ['receipts_missing'] });
    if (place === 0 && agent === 'agent_a') print();
  }
}

const handshake = (service: string, commit: string) => ({
  service,
  version: '2.4.0',
  commit,
  environment: 'staging',
  ready: true,
  dependencies_healthy: true,
  fixture_version: 'fixtures-1',
});

const RUN = { scenario_id: 'v-paid-once', attempt: 1 };
const ITEMS = ['tool', 'payload', 'reason', 'given'].map((name) => `items.${name}`);

export async function verify(server: FixedServer, t: Transcript, sessionId: string): Promise<void> {
  t.heading('Verifying together');
  t.say('Each agent declares its running service. A production environment is refused:');
  const shop = handshake('shop', '91c7d35e0f84');
  await t.call('agent_a', 'POST verify/handshake', {
    body: { ...shop, environment: 'production-eu' },
    send: ['environment', 'commit'],
  });
  await t.call('agent_a', 'POST verify/handshake', { body: shop, show: ['commit_changed'] });
  await t.ask('agent_b', 'POST verify/handshake', { body: handshake('bank', '7fa3b816c5d2') });
  t.say('When both have done so, `verify_next` lists the next calls with their payloads:');
  await t.call('agent_a', 'GET verify/next', { show: ITEMS });
  await t.call('agent_a', 'POST verify/attempts', {
    body: {
      scenario_id: 'v-paid-once',
      evidence: [
        {
          kind: 'http_exchange',
          claim: 'The second request was answered 200 with the first refund.',
          summary: 'POST /refunds twice with refund_id rf-81; the first answer was dropped by the proxy.',
          request_id: 'rf-81',
          assertions: [{ name: 'status', expected: '200', actual: '200', passed: true }],
        },
      ],
    },
    show: ['attempt', 'status'],
  });
  t.say(
    'The other agent gets the call with what was given to judge; the `request_id` of the tested system tells it which run to look at:',
  );
  await t.call('agent_b', 'GET verify/next', { show: ITEMS });
  t.say('The agent that did not start the attempt gives its evidence and the verdict, in one call:');
  await t.call('agent_a', 'POST verify/verifications', { body: { ...RUN, verdict: 'PASS' } });
  await t.call('agent_b', 'POST verify/verifications', {
    body: {
      ...RUN,
      verdict: 'PASS',
      note: 'One entry, two answers.',
      evidence: [
        {
          kind: 'log',
          claim: 'One entry for rf-81.',
          summary: 'select count(*) from entry where refund_id = rf-81 gives 1.',
          request_id: 'rf-81',
          assertions: [{ name: 'entries', expected: '1', actual: '1', passed: true }],
        },
      ],
    },
  });
  await t.call('agent_a', 'GET verify/board', { show: ['scenarios.scenario_id', 'scenarios.status', 'certification'] });
  await authorize(server, sessionId, 'deployment');
  t.say(
    'The owner authorizes the deployment. Each agent takes its rollout steps, checks the gates, and reports what it saw:',
  );
  await t.call('agent_a', 'GET state', { show: ['phase', 'authorizations', 'instruction', 'pending_actions.payload'] });
  await reportGates(server, t, sessionId, 'The shop runs 91c7d35e0f84; one refund of 1 cent was paid once.');
  t.say('The owner reads the reports and authorizes the activation. Then each agent reports again:');
  await authorize(server, sessionId, 'activation');
  await reportGates(server, t, sessionId, 'Refunds are on; the first ten were paid once each.');
  t.say('The agents now only wait for the end of the session:');
  await t.call('agent_a', 'GET state', { show: ['phase', 'authorizations', 'instruction'] });
}

/** Sends Agent A's report on the gates of the stage that was authorized last. */
async function reportGates({ owner }: FixedServer, t: Transcript, sessionId: string, note: string): Promise<void> {
  const { actions } = await owner.view(sessionId);
  const due = actions.find(
    ({ type, due_to, status }) => type === 'REPORT_GATES' && due_to === 'agent_a' && status === 'PENDING',
  );
  await t.call('agent_a', 'POST actions/complete', { body: { action_id: due?.action_id, note }, show: ['action'] });
}

async function reportOf({ owner }: FixedServer, sessionId: string, role: Builder) {
  const { manifest } = await owner.view(sessionId);
  return {
    revision_id: 'r_2',
    content_hash: manifest?.content_hash,
    verdict: 'READY_TO_CODE',
    handshake_sha256: manifest?.handshake_sha256,
    shared_contract_sha256: manifest?.shared_contract_sha256,
    fixture_version: 'fixtures-1',
    answers: ANSWERS[role].map((answer, place) => ({ question_id: `rq_${place + 1}`, answer })),
  };
}

async function authorize({ owner }: FixedServer, sessionId: string, stage: 'build' | 'deployment' | 'activation') {
  await owner.authorize(sessionId, { stage, seen: (await owner.view(sessionId)).head.seq });
}
