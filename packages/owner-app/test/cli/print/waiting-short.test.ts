import { describe, expect, test } from 'vitest';
import type { OverviewSession } from '../../../src/cli/client/lists.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { headLines, idleLines, shortLines } from '../../../src/cli/sessions/waiting.ts';
import { type Inbox, inboxOf } from '../../../src/text/inbox.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { answerOf } from '../../answer-of.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../../running-app.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00.000Z');

const task = (kind: string, record: string, hour: number, blocking = true) => ({
  ...{ kind, blocking, record: { type: record.split(' ')[0], id: record.split(' ')[1] } },
  since: `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
});

const session = (id: string, title: string, waits: readonly object[], more: object = {}) => ({
  ...{ session_id: id, title, status: 'ACTIVE', phase: 'CONTRACT', updated_at: '2026-01-01T11:00:00.000Z' },
  ...{ agents: [{ role: 'agent_b', display_name: 'Bank agent', joined: true }], waits },
  ...more,
});

const sessionsOf = (sessions: readonly object[]) => answerOf('overview', { sessions }).sessions;

const inbox = inboxOf(
  sessionsOf([
    session('aaaa1111', 'Refunds are paid once', [
      task('QUESTION', 'question q_4', 7),
      task('RECOMMENDATION', 'recommendation rec_1', 1, false),
    ]),
    session('bbbb2222', 'A title that is much too long for a terminal of sixty columns', [
      task('APPROVAL', 'revision r_2', 4),
      task('AGENT_ABSENT', 'agent agent_b', 2, false),
    ]),
    session('cccc3333', 'Ports', [task('DISPUTE', 'defect def_2', 11, false)], { left_out: { count: 3 } }),
    session('dddd4444', 'Photos', [task('AGENT_ABSENT', 'agent agent_b', 3)], {
      agents: [{ role: 'agent_b', joined: false }],
    }),
    session('ffff6666', 'Labels', [task('AGENT_ABSENT', 'agent agent_b', 5)], {
      agents: [{ role: 'agent_b', joined: true, last_call_at: '2026-01-01T09:00:00.000Z' }],
    }),
    session('eeee5555', 'Badges', [task('START', 'session eeee5555', 9)], { status: 'DRAFT' }),
  ]),
);

const lookingAt = (columns: number) => ({
  terminal: fakeTerminal({}, columns),
  nowMs: NOW_MS,
  idOf: (id: string) => id.slice(0, 4),
});
const shown = (columns: number, tasks: Inbox<OverviewSession> = inbox) => shortLines(tasks, lookingAt(columns));

describe('the tasks in one line each', () => {
  test('have the most urgent task last, fit the terminal, and begin with drafts and absent agents', () => {
    expect(shown(60)).toEqual([
      '=  eeee  Badges                  Start                  3 h',
      '~  ffff  Labels                  agent_b: silent        7 h',
      'x  dddd  Photos                  agent_b: never joined  9 h',
      '-  cccc  Ports                   3 more tasks           -',
      '-  cccc  Ports                   Decide on def_2        1 h',
      '-  aaaa  Refunds are paid once   Answer rec_1           11 h',
      '!  aaaa  Refunds are paid once   Answer q_4             5 h',
      '!  bbbb  A title that is much…   Approve r_2            8 h',
    ]);
  });

  test('are counted by their marks in the first lines of the list', () => {
    expect(headLines(inbox, { ...lookingAt(300), isShort: true })).toEqual([
      '7 tasks in 3 sessions: 2 stop their session (marked !), 5 do not (marked -). Also 1 session that stops until an invited agent joins (marked x), 1 session with absent agents (marked ~) and 1 draft or paused session (marked =).',
    ]);
    expect(headLines({ ...inbox, open: [], parked: [] }, { ...lookingAt(300), isShort: true })).toEqual([
      'No task waits for you in a running session. Also 1 session that stops until an invited agent joins (marked x) and 1 session with absent agents (marked ~).',
    ]);
  });

  test('are followed by the number of idle sessions and the command that lists them', () => {
    const wrote = (hour: string, more: object = {}) =>
      sessionsOf([
        {
          ...session('aaaa1111', 'Refunds', [], { created_at: '2026-01-01T01:00:00.000Z', movers: ['agent_b'] }),
          agents: [{ role: 'agent_b', wrote_at: `2026-01-01T${hour}:00:00.000Z` }],
          ...more,
        },
      ]);
    const working = wrote('11', { agents: [{ role: 'agent_b', wrote_at: '2026-01-01T11:30:00.000Z' }] });
    const others = [...working, ...wrote('02', { movers: ['owner'] }), ...wrote('02', { status: 'PAUSED' })];
    expect(idleLines([...wrote('09'), ...wrote('04'), ...others], lookingAt(200))).toEqual([
      'In 2 sessions, the agents have something to do but have written nothing for up to 8 h. To list them:',
      '    parley sessions --idle 1h --sort last',
    ]);
    expect(idleLines(others, lookingAt(200))).toEqual([]);
  });

  test('keep to the width of a narrow terminal', () => {
    expect(shown(30, { ...inbox, absent: [], parked: [] }).at(-1)).toBe('!  bbbb  A title…  Approve r_…');
  });
});

describe('parley waiting', () => {
  async function withQuestions(count: number) {
    const { url, parley } = await runApp();
    const owner = parley.owner('owner');
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { session_id } = await owner.createSession({ ...SESSION, title: `Refunds ${made}` });
      const { code } = await owner.invite(session_id, { role: 'agent_a' });
      await owner.start(session_id);
      const questions = [{ text: 'How long?', to: 'owner' as const, blocking: true }];
      await parley.agent((await parley.redeem({ code })).token).call('post_turn', { summary: 'S', questions });
      ids.push(session_id);
    }
    const run = async ({ columns = 80, rows }: { columns?: number; rows?: number }, ...flags: readonly string[]) => {
      const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, columns);
      const code = await runCli(['waiting', ...flags], rows === undefined ? terminal : { ...terminal, rows });
      return {
        code,
        lines: terminal
          .output()
          .replaceAll(/\b\d s\b/g, '0 s')
          .split('\n'),
      };
    };
    return { run, ids };
  }

  const HEAD = '3 tasks in 3 sessions: 3 stop their session (marked !), 0 do not (marked -).';

  const FIRST = 3;
  const shortOf = (ids: readonly string[]) =>
    ids.map((id, index) => `!  ${id.slice(0, 4)}  Refunds ${index}  Answer q_1  0 s`).toReversed();
  const HOW = 'To read one session in full: parley waiting SESSION; all: parley waiting --full.';

  test('has one line for each task if the list does not fit the terminal, the most urgent last', async () => {
    const { run, ids } = await withQuestions(FIRST);
    expect(await run({ rows: 20 }, '--exit-code')).toEqual({
      code: EXIT.DUE,
      lines: [...shortOf(ids), HEAD, HOW],
    });
  });

  test('is in full if it fits, with --full, for one session, and in a pipe, with short ids on a terminal', async () => {
    const { run, ids } = await withQuestions(FIRST);
    const [first = ''] = ids;
    const command = (id: string) => `    parley answer-question ${id} q_1 --text "..."`;
    const inFull = (await run({ rows: 60 })).lines;
    expect(inFull[0]).toBe(HEAD);
    expect(inFull).toContain(command(first.slice(0, 4)));
    expect((await run({ rows: 20 }, '--full')).lines).toEqual(inFull);
    const one = (await run({ rows: 10 }, first.slice(0, 4))).lines;
    expect(one[0]).toBe('1 task in 1 session: 1 stops its session (marked !), 0 do not (marked -).');
    expect(one.filter((line) => line.includes('answer-question'))).toEqual([command(first.slice(0, 4))]);
    expect((await run({ columns: UNLIMITED })).lines).toContain(command(first));
  });
});
