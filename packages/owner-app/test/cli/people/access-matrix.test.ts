import { PERSON_ROLES, type PersonRole } from '@parley/core';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { commands } from '../../../src/cli/flags/command-list.ts';
import { runCli } from '../../../src/cli/program.ts';
import { createSession } from '../../ask.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { addPerson, revoke, runPeopleApp } from '../../people-app.ts';

/** Commands that never call the owner API of a server. */
const LOCAL = [
  'serve',
  'commit-changes',
  'verify',
  'connect',
  'wait',
  'hook',
  'mcp',
  'run',
  'doctor',
  'verify-certificate',
  'migrate',
  'backup',
  'restore',
  'retain',
  'completion',
];

/** The outcome of a command if the person's role allows it: `done`, or the code of another refusal. */
type Outcome = string;

const HASH = '0'.repeat(64);

/**
 * For each role: the command lines that need this role, with their outcome on a new session in DRAFT. A role may also
 * run the command lines of the roles before it.
 */
const NEEDED: Readonly<Record<PersonRole, Readonly<Record<string, Outcome>>>> = {
  viewer: {
    sessions: 'done',
    'export-log {session}': 'done',
    waiting: 'done',
    'find refund': 'done',
    'group checkout': 'UNKNOWN_RECORD',
    'contract pull {session}':
      'parley: The session has no approved contract now: it has no revision yet. Pull again when the owner has approved a revision.',
    audit: 'done',
    'audit --jsonl': 'done',
    'audit --person Ada': 'done',
    accounts: 'done',
    people: 'done',
    'people list': 'done',
    'people me': 'done',
    'view {session}': 'done',
    'records {session} --id d_1': 'UNKNOWN_RECORD',
    'report {session}': 'done',
    'followups {session}': 'done',
    'plan {session}': 'done',
    'revision {session} --revision-id r_1': 'UNKNOWN_RECORD',
    'diff {session} --revision-id r_1': 'UNKNOWN_RECORD',
    'changes {session}': 'done',
    'brief {session}': 'done',
    'blockers {session}': 'done',
    'artifact {session} --filename shared-contract.json': 'UNKNOWN_RECORD',
    'board {session}': 'done',
    'change-links {session}': 'done',
    'certificate {session}': 'CERTIFICATION_INCOMPLETE',
    'transcript {session}': 'done',
    'show {session} d_1': 'UNKNOWN_RECORD',
    'watch {ended}': 'done',
    'verify-log {session}': 'done',
  },
  operator: {
    'create --title Refunds --objective Soon --requirement Once': 'done',
    'moderator-entitlement on': 'done',
    'mark-read {session} --revision-id r_1 --sections tasks': 'UNKNOWN_RECORD',
    'start {session}': 'done',
    'invite {session} --role agent_a': 'done',
    'revoke {session} --role agent_a': 'done',
    'ask {session} --targets agent_a --text Why?': 'done',
    'direct {session} --targets agent_a --text Stop.': 'done',
    'withdraw-intervention {session} --intervention-id i_1': 'UNKNOWN_RECORD',
    'answer-question {session} --question-id q_1 --text Yes.': 'UNKNOWN_RECORD',
    'assign-action {session} --target agent_a --text Look.': 'done',
    'note-followup {session} --side agent_a --kind fault --text Late.': 'done',
    'appoint-author {session} --candidate agent_a --seen 1': 'done',
    'respond-recommendation {session} --recommendation-id rec_1 --decision ACCEPT': 'UNKNOWN_RECORD',
    'request-changes {session} --reason Unclear.': 'INVALID_TRANSITION',
    'refuse-step {session} --stage activation --scenario-id t1 --reason Wrong.': 'INVALID_TRANSITION',
    'carry-pass {session} --scenario-id t1 --reason Comments.': 'INVALID_TRANSITION',
    'reassign-defect {session} --defect-id def_1 --role agent_a': 'UNKNOWN_RECORD',
    'waive-defect {session} --defect-id def_1 --reason Known.': 'UNKNOWN_RECORD',
    'link-change {session} --role agent_a --forge github --repository orders/api': 'done',
    'unlink-change {session} --role agent_a': 'done',
    'grant-moderator {session} --permissions ask': 'INVALID_TRANSITION',
    'stop-moderator {session}': 'done',
    'restore-moderator {session}': 'done',
    'extend-rounds {session} --rounds 2': 'done',
    'raise-quota {session} --role agent_a --quota bytes': 'done',
    'pause {session} --reason Lunch.': 'INVALID_TRANSITION',
    'pause --all': 'done',
    'resume {session}': 'INVALID_TRANSITION',
    'resume --all': 'done',
    'end {session} --end-reason CANCELLED': 'done',
  },
  approver: {
    'delete {session} --yes': 'done',
    'accounts add Team': 'ROLE_FORBIDDEN',
    'accounts close owner': 'ROLE_FORBIDDEN',
    'people add Grace --role viewer': 'done',
    'people role {person} --role operator': 'done',
    'people revoke {person}': 'done',
    'people verify': 'ROLE_FORBIDDEN',
    'people export': 'ROLE_FORBIDDEN',
    'people readmit {revoked}': 'UNKNOWN_RECORD',
    'override-finding {session} --finding-id f_1 --reason Known.': 'UNKNOWN_RECORD',
    'release-hold {session} --hold-id h_1 --reason Known.': 'UNKNOWN_RECORD',
    'override-review {session} --role moderator --reason Known.': 'INVALID_TRANSITION',
    [`approve-contract {session} --revision-id r_1 --content-hash ${HASH}`]: 'INVALID_TRANSITION',
    'authorize {session} --stage build': 'INVALID_TRANSITION',
    'bind-workflow {session} --role agent_a --forge github --repository a/b --workflow w.yml --ref refs/heads/main':
      'done',
    'unbind-workflow {session} --role agent_a': 'done',
  },
};

const LINES = PERSON_ROLES.flatMap((needed) =>
  Object.entries(NEEDED[needed]).map(([line, outcome]) => ({ needed, line, outcome })),
);

async function runAs(url: string, key: string, line: readonly string[]) {
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key });
  const code = await runCli(line, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
}

test('the table has every command that calls the owner API', () => {
  const named = new Set([...LINES.map(({ line }) => line.split(' ')[0]), 'demo', ...LOCAL]);
  expect([...named].toSorted()).toEqual(
    commands()
      .map(({ name }) => name)
      .toSorted(),
  );
});

const rightsOf = (role: PersonRole): number => PERSON_ROLES.indexOf(role);

/** The result of a command line that the role forbids. */
const refusalOf = (needed: PersonRole, role: PersonRole) => ({
  code: EXIT.REFUSED,
  out: '',
  err: expect.stringMatching(
    new RegExp(`^parley: ROLE_FORBIDDEN: [a-zA-Z]+ needs the role ${needed}; your role is ${role}\\.\\n${NEXT_STEP}$`),
  ),
});
const NEXT_STEP = 'Ask a person whose role allows this call to make it, or ask an approver to change your role\\.';

const EXPECTED_CODES: Readonly<Record<string, number>> = { done: EXIT.OK };

test('the table has every action of parley people', () => {
  const [action] = commands().find(({ name }) => name === 'people')?.arguments ?? [];
  for (const word of action?.words ?? expect.unreachable())
    expect(LINES.filter(({ line }) => `${line} `.startsWith(`people ${word} `))).toHaveLength(1);
});

test.each(PERSON_ROLES)('%s', async (role) => {
  const { url, parley, people } = await runPeopleApp();
  const { key } = await addPerson(url, `The ${role}`, role);
  const owner = parley.owner('owner');
  const stored = async () => [await owner.listSessions({ limit: 1 }), await people.verifyLog()];
  const ended = await createSession(url);
  await owner.end(ended, { end_reason: 'CANCELLED' });
  const { id: revoked } = await addPerson(url, 'Rita', 'viewer');
  await revoke(url, revoked);
  const heard: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const { needed, line, outcome } of LINES) {
    const session = await createSession(url);
    const person = line.includes('{person}') ? (await addPerson(url, `Person of ${session}`, 'viewer')).id : '';
    const words = line
      .split(' ')
      .map(
        (word) => ({ '{session}': session, '{ended}': ended, '{person}': person, '{revoked}': revoked })[word] ?? word,
      );
    const before = await stored();
    const answer = await runAs(url, key, words);
    const isRefused = answer.err.includes('ROLE_FORBIDDEN');
    if (isRefused) expect(await stored(), line).toEqual(before);
    heard[line] = answer.err.includes(' needs the role ') ? answer : [answer.code, codeIn(answer.err)];
    expected[line] =
      rightsOf(role) < rightsOf(needed) ? refusalOf(needed, role) : [EXPECTED_CODES[outcome] ?? EXIT.REFUSED, outcome];
  }
  expect(heard).toEqual(expected);
});

/** Returns the code of a refusal, or `done` without a refusal. */
const codeIn = (err: string): string => (err === '' ? 'done' : (/^parley: ([A-Z_]+):/.exec(err)?.[1] ?? err));

test('with --json, the body of a refusal contains the required role', async () => {
  const { url } = await runPeopleApp();
  const { key } = await addPerson(url, 'Otto', 'operator');
  const { code, out, err } = await runAs(url, key, ['delete', await createSession(url), '--yes', '--json']);
  expect([code, err]).toEqual([EXIT.REFUSED, '']);
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: 'ROLE_FORBIDDEN', required_role: 'approver' });
});

test.each([
  ['viewer', 'createSession needs the role operator; your role is viewer.'],
  ['operator', 'approveContract needs the role approver; your role is operator.'],
] as const)('parley demo as %s ends at the first call that needs another role', async (role, message) => {
  const { url } = await runPeopleApp();
  const { key } = await addPerson(url, 'Otto', role);
  const { code, err } = await runAs(url, key, ['demo', '--fast']);
  expect([code, err]).toEqual([EXIT.REFUSED, expect.stringContaining(`ROLE_FORBIDDEN: ${message}`)]);
});

test('parley demo as approver plays the mission to its end', async () => {
  const { url } = await runPeopleApp();
  const { key } = await addPerson(url, 'Ada', 'approver');
  expect(await runAs(url, key, ['demo', '--fast'])).toMatchObject({ code: EXIT.OK, err: '' });
});
