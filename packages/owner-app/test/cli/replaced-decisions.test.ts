import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { UNLIMITED } from '../../src/text/page.ts';
import { joinedAgents } from '../agent/joined.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY } from '../running-app.ts';

type Builder = 'agent_a' | 'agent_b';
type Joined = Awaited<ReturnType<typeof joinedAgents>>;

const BUILDERS = ['agent_a', 'agent_b'] as const;
const proposal = (position: string) => ({ topic: 'Idempotency key', position, accept: true });

/** A decision of agent_a that both accept. */
async function settle({ call }: Joined, position: string): Promise<string> {
  const { decision } = await call('agent_a', 'submit_decision', proposal(position));
  await call('agent_b', 'accept_decision', { decision_id: decision.decision_id });
  return decision.decision_id;
}

/** A revision of the example contract that rests on one decision, with the approvals of both builders. */
async function revise({ call }: Joined, decision: string, expected_parent_id: string): Promise<void> {
  const { example } = await call('agent_a', 'get_contract_schema');
  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
  const mapping = { tasks: ids(example.tasks), tests: ids(example.tests), gates: ids(example.gates) };
  const contract = { ...example, decisions: [decision] };
  await call('agent_a', 'submit_contract', { contract, expected_parent_id, reason: 'As decided.' });
  await call('agent_a', 'submit_preflight', {
    mappings: [{ requirement_id: 'req-1', decisions: [decision], ...mapping }],
  });
  const { revision_id, content_hash } = await call('agent_a', 'get_final_plan');
  for (const role of BUILDERS)
    await call(role, 'submit_final_review', { revision_id, content_hash, verdict: 'APPROVE' });
}

/** A certified r_1 that rests on d_1. The owner has read it and requested changes, which both builders have read. */
async function requested() {
  const joined = await joinedAgents();
  const { call, id, owner, url } = joined;
  const run = async (...args: readonly string[]): Promise<string> => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, UNLIMITED);
    await runCli(args, terminal);
    return terminal.output() || terminal.errors();
  };
  await settle(joined, 'Every refund request sends the order id.');
  for (const role of BUILDERS)
    await call(role, 'elect_contract_author', { candidate: 'agent_a', reason: 'It has the buyers.' });
  await revise(joined, 'd_1', '');
  await run('mark-read', id, '--revision-id', 'r_1', '--sections', 'all');
  const { head } = await owner().view(id);
  await owner().requestChanges(id, { reason: 'The key must name the refund.', seen: head.seq });
  const told = async (role: Builder): Promise<string> => (await call(role, 'read_session_state')).instruction.text;
  const instructions = { agent_a: await told('agent_a'), agent_b: await told('agent_b') };
  return { ...joined, run, told, instructions };
}

test('both builders replace the same decision at once: what each is told, and what the owner sees', async () => {
  const { call, id, run, told, instructions } = await requested();
  expect(instructions.agent_a).toMatch(
    /^CHANGES_REQUESTED on r_1: You propose the new position of each decision that the request touches, with submit_decision/,
  );
  expect(instructions.agent_b).toBe(
    'Wait for agent_a to remove the blocker CHANGES_REQUESTED on r_1. As Contract Author, agent_a proposes the new positions: accept or reject them with accept_decision and reject_decision.',
  );

  const outcomes = await Promise.allSettled([
    call('agent_a', 'submit_decision', proposal('Every refund request sends refund_id.')),
    call('agent_b', 'submit_decision', proposal('Every refund request sends a random key.')),
  ]);
  const winner = outcomes[0].status === 'fulfilled' ? 'agent_a' : 'agent_b';
  const loser = winner === 'agent_a' ? 'agent_b' : 'agent_a';
  expect(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason.message : 'taken')).toSorted()).toEqual([
    `submit_decision: ${winner} has proposed d_2 on this topic since you last read, and it is open: see current.`,
    'taken',
  ]);

  expect(await told(loser)).toMatch(/accept.*d_2|d_2.*accept/i);
  const name = { agent_a: 'Agent A (agent_a)', agent_b: 'Agent B (agent_b)' };
  const view = await run('view', id);
  expect(view).toContain(`${name[loser]}: accept or reject d_2`);
  expect(view).toMatch(/d_1 +SUPERSEDED +both builders +Idempotency key/);
  const transcript = await run('transcript', id, '--last', '3');
  expect(transcript).toContain('│ proposes     d_2 Idempotency key (replaces d_1)');
  expect(transcript).not.toContain('d_3');
});

test('an owner who has read r_1 gets r_2 after two replacements: all compare with the decision that was read', async () => {
  const joined = await requested();
  const { call, id, owner, run } = joined;
  await settle(joined, 'Every refund request sends a random key.');
  await settle(joined, 'Every refund request sends refund_id, which the shop stores before its first call.');
  await revise(joined, 'd_3', 'r_1');

  const difference =
    'Every refund request sends {+refund_id, which +}the [-order id-]{+shop stores before its first call+}.';
  const changes = await run('changes', id);
  expect(changes.split('\n')).toEqual(
    expect.arrayContaining([
      'r_2 compared with r_1 (1 change)',
      'decisions (1 change, not read)',
      '  ~ decision d_3 replaces d_1: Idempotency key  [r_2]',
      `      ${difference}`,
    ]),
  );
  const brief = await run('brief', id);
  expect(brief.split('\n')).toEqual(
    expect.arrayContaining(
      [
        '  → r_2 was submitted after this request and does not name it as a cause: As decided.',
        'changed since r_1',
        '  decisions  1, not read',
        'decisions added',
        '  d_3 RESOLVED  Idempotency key (instead of d_1)',
        `  → ${difference}`,
      ].map((line) => expect.stringContaining(line.trim())),
    ),
  );
  expect(`${changes}${brief}`).not.toContain('d_2');
  expect(`${changes}${brief}`).not.toContain('random key');

  const asked: string[] = [];
  const terminal = {
    ...fakeTerminal({ PARLEY_URL: joined.url, PARLEY_OWNER_KEY: KEY }, UNLIMITED),
    question: async (text: string) => {
      asked.push(text);
      return '';
    },
  };
  await runCli(['approve-contract', id], terminal);
  expect(`${asked.join('\n')}${terminal.output()}${terminal.errors()}`).toContain(difference);
  expect((await owner().view(id)).state.phase).toBe('CONTRACT');
  expect((await call('agent_b', 'list_decisions')).decisions.map(({ status }: { status: string }) => status)).toEqual([
    'SUPERSEDED',
    'SUPERSEDED',
    'RESOLVED',
  ]);
});
