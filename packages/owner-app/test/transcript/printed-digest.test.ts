import { expect, test } from 'vitest';
import { createMessagePrinter } from '../../src/cli/print/message-printer.ts';
import { createPaint } from '../../src/text/style.ts';
import type { Message } from '../../src/transcript/message.ts';

const page = { columns: 80, paint: createPaint(false) };
const long = 'word '.repeat(200);

const turn = (id: number, from: string, body: object): Message => ({
  id,
  at: '',
  from,
  kind: 'turn.posted',
  body: { turn_index: id - 1, round: 1, summary: 'A summary.', ...body },
});
test('a digest says what a turn proposes and which decision that replaces, without the position', () => {
  const printer = createMessagePrinter(page, {}, { isDigest: true });
  expect(
    printer.lines(
      turn(2, 'agent_b', {
        proposed_decisions: [{ decision_id: 'd_7', topic: 'change  LOG', position: long, supersedes: 'd_1' }],
        dependencies: ['PostgreSQL 16', 'Redis'],
        safety_conditions: ['Never on Friday.'],
        next_step: 'I wait.',
      }),
    ),
  ).toEqual([
    '',
    '● agent_b  turn 2, round 1',
    '│ A summary.',
    '│ proposes     d_7 change  LOG (replaces d_1)',
    '│ needs        PostgreSQL 16',
    '│ needs        Redis',
    '│ safe if      Never on Friday.',
    '│ more         1 part is not shown',
  ]);
});

test('a digest of a long answer shows the first words of the question and of the answer', () => {
  const printer = createMessagePrinter({ ...page, columns: 400 }, {}, { isDigest: true });
  const asked = { intervention_id: 'i_1', type: 'QUESTION', targets: ['agent_a'], text: `What happens? ${long}` };
  printer.lines({ id: 1, at: '', from: 'owner', kind: 'intervention.opened', body: asked });
  const answered = { intervention_id: 'i_1', text: `They wait. ${long}` };
  const lines = printer.lines({ id: 2, at: '', from: 'agent_a', kind: 'intervention.answered', body: answered });
  expect(lines.map((line) => line.slice(0, 40))).toEqual([
    '',
    '● agent_a  answers i_1',
    '│ question     What happens? word word w',
    '│ answer       They wait. word word word',
  ]);
});
