import { expect, test } from 'vitest';
import { shownId } from '../../../src/cli/client/lists.ts';
import { runCli } from '../../../src/cli/program.ts';
import { countsSteps, nextCell, totalsText } from '../../../src/cli/sessions/sessions.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { answerOf } from '../../answer-of.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../../running-app.ts';

const TITLE = 'Captured payments are booked exactly once in the ledger, also after a timeout of the broker';

test.each([
  [80, 'ID4     PLANNING  agent_a (never joined)   0 s    0 s   Captured payments are…'],
  [100, 'ID4     PLANNING  agent_a: post its turn (never joined)  0 s    0 s   Captured payments are booked…'],
  [
    140,
    'ID4     PLANNING  agent_a: post its turn (never joined)  0 s    0 s   Captured payments are booked exactly once in the ledger, also after…',
  ],
  [UNLIMITED, `ID22  PLANNING  agent_a: post its turn (never joined)  0 s  0 s  -  ${TITLE}`],
])('parley sessions has a session in one line of at most %d columns', async (columns, line) => {
  const { url, parley } = await runApp();
  const { session_id: id } = await parley.owner('owner').createSession({ ...SESSION, title: TITLE });
  await parley.owner('owner').start(id);
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, columns);
  await runCli(['sessions'], terminal);
  const [, row = '', ...more] = terminal.output().split('\n');
  expect(
    row
      .replace(id, 'ID22')
      .replace(id.slice(0, 4), 'ID4')
      .replaceAll(/\b\d s\b/g, '0 s'),
  ).toBe(line);
  expect(row.length).toBeLessThanOrEqual(columns);
  expect(more).toEqual(['', '1 session: 1 ACTIVE (1 PLANNING).']);
});

/** Runs `parley sessions` with one session of the given title, to which `prepare` gives a state. */
async function rowsOf(columns: number, prepare: (owner: ReturnType<AppOwner>, id: string) => Promise<unknown>) {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession({ ...SESSION, title: TITLE });
  await prepare(owner, id);
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, columns);
  await runCli(['sessions'], terminal);
  return terminal
    .output()
    .replaceAll(/\b\d s\b/g, '0 s')
    .replaceAll(id, 'S')
    .replaceAll(id.slice(0, 4), 'S')
    .split('\n');
}
type AppOwner = Awaited<ReturnType<typeof runApp>>['parley']['owner'];

test('an act of the owner does not end the idle time of a session', async () => {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  await owner.start(id);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  await owner.invite(id, { role: 'agent_a' });
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
  await runCli(['sessions', '--idle', '1s'], terminal);
  expect(terminal.output()).toContain('1 session: 1 ACTIVE');
});

const LONG_TASK = 'Write down which commit of the ledger runs in staging, and who may restart it.';

test('parley sessions shortens what an agent has to do only on a terminal', async () => {
  const assign = async (owner: ReturnType<AppOwner>, id: string) => {
    await owner.start(id);
    await owner.assignAction(id, { target: 'agent_a', text: LONG_TASK });
  };
  expect((await rowsOf(80, assign))[1]).toBe(
    'S     PLANNING  agent_a (never joined)   0 s    0 s   Captured payments are…',
  );
  expect((await rowsOf(UNLIMITED, assign))[1]).toBe(
    `S  PLANNING  agent_a: act_1: ${LONG_TASK} (never joined)  0 s  0 s  -  ${TITLE}`,
  );
});

const cellOf = (session: object, nowMs: number, columns: number): string[] =>
  answerOf('overview', { sessions: [session] }).sessions.map((one) => nextCell(one, nowMs, columns));

test('the next step comes before the mark of an agent that does not take it', () => {
  const nowMs = Date.parse('2026-01-01T12:00:00.000Z');
  const session = {
    status: 'ACTIVE',
    movers: ['owner', 'agent_a', 'agent_b'],
    duties: [
      { role: 'agent_a', text: 'post its turn' },
      { role: 'agent_b', text: 'act_1: Write down which commit of the ledger runs in staging' },
    ],
    waits: [
      { kind: 'APPROVAL', blocking: true, record: { type: 'revision', id: 'r_2' } },
      { kind: 'AGENT_ABSENT', blocking: true, record: { type: 'agent', id: 'agent_b' } },
    ],
    agents: [
      {
        ...{ role: 'agent_a', joined: true, waiting: true, last_call_at: '2026-01-01T11:59:50.000Z' },
        ...{ wrote_at: '2026-01-01T07:00:00.000Z', due_since: '2026-01-01T07:00:00.000Z' },
      },
      { role: 'agent_b', joined: true, waiting: false, last_call_at: '2026-01-01T11:57:00.000Z' },
    ],
  };
  expect(cellOf(session, nowMs, UNLIMITED)).toEqual([
    'you: Approve r_2; agent_a: post its turn (idle); agent_b: act_1: Write down which commit of the ledger runs in staging (silent)',
  ]);
  expect(cellOf(session, nowMs, 90)).toEqual([
    'you: Approve r_2; agent_a: post its turn (idle); agent_b: act_1: Write down whic… (silent)',
  ]);
  expect(cellOf(session, nowMs, 61)).toEqual(['you: Approve r_2; agent_a: post its turn (idle) +1, 1 silent']);
  expect(cellOf(session, nowMs, 59)).toEqual(['you: Approve r_2 +2, 1 idle, 1 silent']);
  expect(countsSteps('you: Approve r_2 +2, 1 idle, 1 silent')).toBe(true);
  expect(countsSteps('agent_b: answer f_3 +1')).toBe(true);
  expect(countsSteps('agent_b: answer f_3 (idle)')).toBe(false);
  expect(cellOf(session, nowMs, 50)).toEqual(['you: Approve r_2 +2, 1 idle, 1 silent']);
  expect(cellOf({ ...session, waits: session.waits.slice(1), movers: ['agent_b'] }, nowMs, 30)).toEqual([
    'agent_b: act_1: Writ… (silent)',
  ]);
});

test.each([
  ['of one long word', 'x'.repeat(20_000), 'agent_a: xxxxx…'],
  // A mark takes no column, so all of them are beside the letters that fit.
  ['with many marks on a letter', `xx${'\u0301'.repeat(20_000)}yyyyyy`, `agent_a: xx${'\u0301'.repeat(20_000)}yyy…`],
])('a step %s is shortened at once', (_what, text, cell) => {
  const session = {
    status: 'ACTIVE',
    movers: ['agent_a'],
    duties: [{ role: 'agent_a', text }],
    agents: [{ role: 'agent_a', joined: true, waiting: true, last_call_at: '2026-01-01T12:00:00.000Z' }],
  };
  const startedAt = performance.now();
  expect(cellOf(session, Date.parse('2026-01-01T12:00:00.000Z'), 15)).toEqual([cell]);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

test('parley sessions names nobody in a draft, as the table of the console', async () => {
  expect((await rowsOf(UNLIMITED, async () => undefined))[1]).toBe(`S  DRAFT PLANNING  -  -  0 s  -  ${TITLE}`);
});

test('while all sessions are stopped, parley sessions says so with the command that resumes them', async () => {
  const lines = await rowsOf(UNLIMITED, async (owner, id) => {
    await owner.start(id);
    await owner.pauseAll({ reason: 'Lunch.' });
  });
  expect(lines.slice(2).map((line) => line.replace(/pa_\w+|[\w-]{8,}$/, 'ID'))).toEqual([
    '',
    '1 session: 1 PAUSED (1 PLANNING).',
    '1 listed session is paused by "pause --all", 0 s ago. To resume them:',
    '    parley resume --all',
  ]);
});

/** Starts an app with three sessions. `Beta` is a draft, `alpha` is started, and `Gamma` is started and paused. */
async function threeSessions() {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const open = async (title: string) => (await owner.createSession({ ...SESSION, title })).session_id;
  await open('Beta');
  const [alpha, gamma] = [await open('alpha'), await open('Gamma')];
  await owner.start(alpha);
  await owner.start(gamma);
  await owner.pause(gamma, { reason: 'Lunch.' });
  return async (...flags: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, UNLIMITED);
    const code = await runCli(['sessions', ...flags], terminal);
    const [table = '', totals] = terminal.output().split('\n\n');
    const [, ...rows] = table.split('\n');
    return { code, err: terminal.errors(), totals, titles: rows.map((row) => row.split(/ {2,}/).at(-1)) };
  };
}

test.each([
  [
    ['--sort', 'title'],
    ['alpha', 'Beta', 'Gamma'],
  ],
  [['--sort', 'title', '--limit', '1'], ['alpha']],
  [
    ['--status', 'ACTIVE', '--status', 'PAUSED', '--sort', 'title'],
    ['alpha', 'Gamma'],
  ],
  [
    ['--status', 'DRAFT,PAUSED', '--sort', 'title'],
    ['Beta', 'Gamma'],
  ],
  [
    ['--phase', 'PLANNING', '--phase', 'VERIFY', '--sort', 'title'],
    ['alpha', 'Beta', 'Gamma'],
  ],
  [['--phase', 'VERIFY', '--phase', 'RELEASE'], []],
])('parley sessions %j lists %j', async (flags, titles) => {
  expect((await (await threeSessions())(...flags)).titles).toEqual(titles);
});

test('parley sessions ends with the number of listed sessions by status and phase', async () => {
  const list = await threeSessions();
  expect((await list()).totals).toBe('3 sessions: 1 DRAFT, 1 ACTIVE (1 PLANNING), 1 PAUSED (1 PLANNING).');
  expect((await list('--status', 'PAUSED')).totals).toBe('1 session: 1 PAUSED (1 PLANNING).');
  expect((await list('--phase', 'VERIFY')).totals).toBe(undefined);
});

test('the totals name the phases of active and paused sessions in the order of the phases', () => {
  const session = (status: string, phase: string) => ({ status, phase });
  const sessions = [
    session('ENDED', 'RELEASE'),
    session('ACTIVE', 'VERIFY'),
    session('ACTIVE', 'PLANNING'),
    session('ACTIVE', 'VERIFY'),
    session('PAUSED', 'READINESS'),
  ];
  expect(totalsText(answerOf('overview', { sessions }).sessions)).toBe(
    '5 sessions: 3 ACTIVE (1 PLANNING, 2 VERIFY), 1 PAUSED (1 READINESS), 1 ENDED.',
  );
});

test('parley sessions refuses a phase that does not exist', async () => {
  const { code, err } = await (await threeSessions())('--phase', 'VERIFY', '--phase', 'BUILD');
  expect(code).toBe(2);
  expect(err).toContain('"BUILD" is not one of PLANNING, CONTRACT, READINESS, VERIFY, RELEASE.');
});

test('the shortest beginning of an id has at least four characters, and no other id begins with it', () => {
  const ids = ['aaaa1', 'aaaa22', 'aaaa23', 'bbbb1'];
  expect(ids.map((id) => shownId(id, ids))).toEqual(['aaaa1', 'aaaa22', 'aaaa23', 'bbbb']);
});
