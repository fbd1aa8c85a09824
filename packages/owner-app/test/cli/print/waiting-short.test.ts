import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { summaryOf } from '../../../src/cli/print/format-waiting.ts';
import { runCli } from '../../../src/cli/program.ts';
import { shortLines, urgentLines } from '../../../src/cli/sessions/waiting-short.ts';
import { inboxOf } from '../../../src/text/inbox.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../../running-app.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00.000Z');

const task = (kind: string, record: string, hour: number, blocking = true) => ({
  ...{ kind, blocking, record: { type: record.split(' ')[0], id: record.split(' ')[1] } },
  since: `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
});

const session = (id: string, title: string, waits: readonly object[], more: object = {}) => ({
  ...{ session_id: id, title, status: 'ACTIVE', phase: 'CONTRACT', updated_at: '2026-01-01T11:00:00.000Z' },
  ...{ agents: [{ role: 'agent_b', display_name: 'Bank agent' }], waits },
  ...more,
});

const { open } = inboxOf(
  [
    session('aaaa1111', 'Refunds are paid once', [
      task('QUESTION', 'question q_4', 7),
      task('RECOMMENDATION', 'recommendation rec_1', 1, false),
    ]),
    session('bbbb2222', 'A title that is much too long for a terminal of sixty columns', [
      task('APPROVAL', 'revision r_2', 4),
      task('AGENT_ABSENT', 'agent agent_b', 2, false),
    ]),
    session('cccc3333', 'Ports', [task('DISPUTE', 'defect def_2', 11, false)], { left_out: { count: 3 } }),
  ].map(summaryOf),
);

const IDS = ['aaaa1111', 'bbbb2222', 'cccc3333'];

describe('the tasks in one line each', () => {
  test('in a pipe have the most urgent task first, with whole ids and titles', () => {
    expect(shortLines(open, { terminal: fakeTerminal({}, UNLIMITED), nowMs: NOW_MS, ids: [] })).toEqual([
      '!  bbbb2222  A title that is much too long for a terminal of sixty columns  Approve r_2  8 h',
      '!  aaaa1111  Refunds are paid once  Answer q_4  5 h',
      '-  aaaa1111  Refunds are paid once  Answer rec_1  11 h',
      '-  cccc3333  Ports  Decide on def_2  1 h',
      '-  cccc3333  Ports  3 more tasks  -',
    ]);
  });

  test('on a terminal have the most urgent task last, and fit the terminal', () => {
    expect(shortLines(open, { terminal: fakeTerminal({}, 60), nowMs: NOW_MS, ids: IDS })).toEqual([
      '-  cccc  Ports                         3 more tasks     -',
      '-  cccc  Ports                         Decide on def_2  1 h',
      '-  aaaa  Refunds are paid once         Answer rec_1     11 h',
      '!  aaaa  Refunds are paid once         Answer q_4       5 h',
      '!  bbbb  A title that is much too lo…  Approve r_2      8 h',
    ]);
  });

  test('keep to the width of a narrow terminal', () => {
    const lines = shortLines(open, { terminal: fakeTerminal({}, 30), nowMs: NOW_MS, ids: IDS });
    expect(lines.at(-1)).toBe('!  bbbb  A title…  Approve r_…');
  });

  test('are shown again below a long list, at most five of them, the most urgent first', () => {
    const many = inboxOf(
      Array.from({ length: 7 }, (_, index) =>
        session(`s${index}xx9999`, 'Ports', [task('QUESTION', `question q_${index}`, index)]),
      ).map(summaryOf),
    ).open;
    const ids = many.map((one) => String(one.session_id));
    expect(urgentLines(many, { terminal: fakeTerminal({}, 80), nowMs: NOW_MS, ids })).toEqual([
      'Most urgent:',
      '!  s0xx  Ports  Answer q_0  12 h',
      '!  s1xx  Ports  Answer q_1  11 h',
      '!  s2xx  Ports  Answer q_2  10 h',
      '!  s3xx  Ports  Answer q_3  9 h',
      '!  s4xx  Ports  Answer q_4  8 h',
    ]);
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
    const run = async (columns: number, ...flags: readonly string[]) => {
      const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, columns);
      const code = await runCli(['waiting', ...flags], terminal);
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

  test('ends on a terminal with the most urgent tasks if the list is long', async () => {
    const { run, ids } = await withQuestions(3);
    const { lines } = await run(80);
    expect(lines[0]).toBe(HEAD);
    expect(lines.slice(-5)).toEqual([
      '',
      'Most urgent:',
      ...ids.map((id, index) => `!  ${id.slice(0, 4)}  Refunds ${index}  Answer q_1  0 s`),
    ]);
    expect((await run(UNLIMITED)).lines).not.toContain('Most urgent:');
  });

  test('does not repeat the tasks of a list that fits the screen', async () => {
    const { run } = await withQuestions(1);
    expect((await run(80)).lines).not.toContain('Most urgent:');
  });

  test('with --short prints one line for each task, and the number of tasks', async () => {
    const { run, ids } = await withQuestions(3);
    expect(await run(80, '--short', '--exit-code')).toEqual({
      code: EXIT.DUE,
      lines: [...ids.map((id, index) => `!  ${id.slice(0, 4)}  Refunds ${index}  Answer q_1  0 s`).toReversed(), HEAD],
    });
    expect((await run(UNLIMITED, '--short')).lines).toEqual([
      HEAD,
      ...ids.map((id, index) => `!  ${id}  Refunds ${index}  Answer q_1  0 s`),
    ]);
  });
});
