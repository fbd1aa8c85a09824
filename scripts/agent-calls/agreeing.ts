import { CONTRACT } from './contract.ts';
import type { FixedServer } from './fixed-server.ts';
import type { Transcript } from './transcript.ts';

const BRIEF = ['title', 'summary'];

export async function writeContract(t: Transcript): Promise<void> {
  t.heading('Writing the contract');
  t.say('A draft can be validated first, which changes nothing. Each fault has a code, a JSON Pointer and a hint:');
  const draft = { ...CONTRACT, decisions: [], summary: 'TODO' };
  await t.call('agent_b', 'POST contract/validate', {
    body: { contract: draft },
    send: ['contract.title', 'contract.summary', 'contract.decisions'],
    show: ['valid', 'errors'],
  });
  const submission = { contract: CONTRACT, expected_parent_id: '', reason: 'As decided in d_1.' };
  const send = [...BRIEF.map((name) => `contract.${name}`), 'expected_parent_id', 'reason'];
  await t.call('agent_b', 'POST contract', {
    body: submission,
    send,
    show: ['revision_id', 'content_hash', 'status', 'errors'],
  });
  t.say('A submission names its parent. If that is not the latest revision, the author has missed a newer one:');
  await t.call('agent_b', 'POST contract', { body: submission, send, show: ['latest_revision_id'] });
  t.say(
    '`GET contract-blockers` lists everything between this revision and the approval, with the call that removes it:',
  );
  await t.call('agent_b', 'GET contract-blockers');
}

export async function discuss(t: Transcript): Promise<void> {
  t.heading('Finding the blockers, and removing them');
  await t.call('agent_b', 'POST preflight', {
    body: { mappings: [{ requirement_id: 'req-1', decisions: ['d_1'], tasks: ['bank-pay'], tests: ['v-paid-once'] }] },
    show: ['preflight.complete'],
  });
  await t.call('agent_a', 'POST findings', {
    body: {
      kind: 'OMISSION',
      target: 'if-refunds',
      text: 'What does the bank answer if the same refund_id comes with another amount?',
    },
    show: ['finding.finding_id', 'finding.status', 'finding.blocking'],
  });
  await t.call('agent_b', 'POST contract/patch', {
    body: {
      expected_parent_id: 'r_1',
      reason: 'f_1: another amount is refused.',
      ops: [
        {
          op: 'add',
          path: '/interfaces/0/operations/0/errors',
          value: ['409 when the refund_id stands for another amount'],
        },
      ],
    },
    show: ['revision_id', 'content_hash', 'status'],
  });
  const response = { finding_id: 'f_1', decision: 'ACCEPT', response: '409, said in r_2.', revision_id: 'r_2' };
  await t.call('agent_b', 'POST findings/respond', { body: response, show: ['finding.status'] });
  await t.call('agent_a', 'POST findings/resolve', {
    body: { finding_id: 'f_1', outcome: 'RESOLVED' },
    show: ['finding.status'],
  });
}

export async function approve(server: FixedServer, t: Transcript, sessionId: string): Promise<void> {
  t.heading('Approving');
  const { content_hash } = await server.owner.plan(sessionId);
  await review(t, content_hash ?? '');
  const { seq: seen } = (await server.owner.view(sessionId)).head;
  await server.owner.approveContract(sessionId, { revision_id: 'r_2', content_hash: content_hash ?? '', seen });
  t.say('The contract is certified. The owner approves `r_2` by its hash, which freezes the manifest.');
}

async function review(t: Transcript, content_hash: string): Promise<void> {
  t.say('Both agents review the revision by its hash. Each of them takes the hash from its own `GET plan`:');
  const body = { revision_id: 'r_2', content_hash, verdict: 'APPROVE' };
  await t.call('agent_a', 'POST final-review', { body });
  await t.call('agent_b', 'POST final-review', { body });
}
