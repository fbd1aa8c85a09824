import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { recordPath } from '../../src/text/record-address.ts';
import { openArgued } from './spoken-session.ts';

/** Splits an output into lines, and replaces each time by `TIME`. */
const timeless = (out: string): string[] => out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME').split('\n');

describe('parley show', () => {
  test('prints a superseded decision with its turn, its successor and the words that changed', async () => {
    const { run, id, url } = await openArgued();
    const { code, out } = await run('show', id, 'd_1');
    expect(code).toBe(EXIT.OK);
    const lines = timeless(out);
    expect(lines.slice(0, 2)).toEqual([
      'd_1  Key  decision, SUPERSEDED, replaced by d_2',
      'proposed by Shop agent (agent_a) with turn 1, #7, TIME UTC',
    ]);
    expect(lines).toContain('proposed_by  Shop agent (agent_a)');
    expect(lines).toContain('proposed_at  TIME UTC');
    expect(lines.slice(lines.indexOf('position'))).toEqual([
      'position',
      '│ The key is a UUID of the shop.',
      '',
      'd_1 → d_2',
      '│ The key is a UUID of the [-shop-]{+bank+}.',
      '',
      'turn 1 says',
      '│ The shop keeps the refund key.',
      '',
      `in the console  ${url}/owner/sessions/${id}/d_1`,
    ]);
  });

  test('prints a question with its message, its turn and its answer', async () => {
    const { run, id } = await openArgued();
    const { out } = await run('show', id, 'q_1');
    const lines = timeless(out);
    expect(lines.slice(0, 3)).toEqual([
      'q_1  question, ANSWERED',
      'asked by Shop agent (agent_a) with turn 1, #7, TIME UTC',
      'answered by Bank agent (agent_b) with turn 2, #10, TIME UTC',
    ]);
    expect(out).toContain('text\n│ How long does the bank keep a key?');
    expect(out).toContain('answer\n│ One day.');
    expect(out).toContain('turn 1 says\n│ The shop keeps the refund key.');
  });

  test.each(['7', '#7'])('prints a message by its number: %s', async (number) => {
    const { run, id } = await openArgued();
    const { out, code } = await run('show', id, number);
    expect(code).toBe(EXIT.OK);
    const [head = '', ...lines] = out.split('\n');
    expect(head).toMatch(/^● Shop agent \(agent_a\) {2}turn 1, round 1 /);
    expect(lines).toContain('│ The shop keeps the refund key.');
    expect(lines.at(-1)).toMatch(new RegExp(`^in the console  http://.*/owner/sessions/${id}#m-7$`));
    expect(out).not.toContain('turn 2');
  });

  test.each([
    ['8', 'Event #8 is not a message. The next message is #10.'],
    ['#99', 'There is no message #99 in this session. The last message is #10.'],
  ])('says what is wrong with %s', async (number, message) => {
    const { run, id } = await openArgued();
    const { code, err } = await run('show', id, number);
    expect({ code, err }).toEqual({ code: EXIT.REFUSED, err: `parley: ${message}` });
  });

  test('prints a requirement', async () => {
    const { run, id } = await openArgued();
    const { out } = await run('show', id, 'req-1');
    expect(out).toContain('req-1  requirement');
    expect(out).toContain('text\n│ No refund is paid twice.');
  });

  test.each([
    ['d_9', 'There is no decision d_9 in this session. The session has d_1 to d_2.'],
    [
      'x_1',
      'Must be the id of a record (d_1, q_1, f_1, i_1, act_1, r_1, h_1, rec_1, def_1, fu_1), of a requirement, or of an item of the latest revision: req-1.',
    ],
  ])('says what is wrong with %s', async (record, message) => {
    const { run, id } = await openArgued();
    const { code, err } = await run('show', id, record);
    expect(code).not.toBe(EXIT.OK);
    expect(err).toContain(message);
  });
});

describe('parley transcript', () => {
  test.each([
    [['--last', '1'], ['turn 2, round 1']],
    [['--by', 'agent_a'], ['turn 1, round 1']],
    [
      ['--grep', 'BANK keeps'],
      ['turn 1, round 1', 'turn 2, round 1'],
    ],
    [['--grep', 'BANK keeps', '--last', '1'], ['turn 2, round 1']],
    [['--kind', 'session'], ['starts the session']],
  ])('%j prints these messages', async (flags, headings) => {
    const { run, id } = await openArgued();
    const { out } = await run('transcript', id, ...flags);
    expect(
      out
        .split('\n')
        .flatMap(
          (line) =>
            /^● (?:Shop|Bank) agent \(agent_[ab]\) {2}(.*?) {2}|^● owner {2}(.*?) {2}/.exec(line)?.slice(1) ?? [],
        )
        .filter(Boolean),
    ).toEqual(headings);
  });

  test('reports that no message matches the filter', async () => {
    const { run, id } = await openArgued();
    expect((await run('transcript', id, '--grep', 'zebra')).out).toBe('No message matches these filters.');
  });
});

test.each([
  ['q_7', undefined, '/owner/sessions/S/q_7'],
  ['r_5', 'r_3', '/owner/sessions/S/r_5?against=r_3'],
  ['test-reserve', undefined, '/owner/sessions/S'],
  ['agent_a', undefined, '/owner/sessions/S'],
])('the address of %s against %s is %s', (record, against, path) => {
  expect(recordPath('S', record, against)).toBe(path);
});
