import type { EventBody } from '@parley/core/client';
import { expect, test } from 'vitest';
import { createMessagePrinter } from '../../src/cli/print/message-printer.ts';
import { createPaint } from '../../src/text/page.ts';
import type { Message } from '../../src/transcript/message.ts';
import { messageBy } from './samples.ts';

const page = { columns: 120, paint: createPaint(false) };
const long = 'word '.repeat(200);

const turn = (id: number, from: Message['from'], part: Partial<EventBody<'turn.posted'>>): Message =>
  messageBy(from, 'turn.posted', { turn_index: id - 1, ...part }, { id });

const line = (message: Message, columns = 120) =>
  createMessagePrinter({ ...page, columns }, {}, { isNews: true })
    .lines(message)
    .slice(1);

const longTurn = turn(2, 'agent_b', {
  proposed_decisions: [{ decision_id: 'd_7', topic: 'change  LOG', position: long, supersedes: 'd_1' }],
  dependencies: ['PostgreSQL 16', 'Redis'],
  next_step: 'I wait.',
});

test('a piece of news is one line: its number, what it says, and its parts in the order of their importance', () => {
  expect(line({ ...longTurn, at: '2026-11-27T12:10:00Z' }, 160)).toEqual([
    '● agent_b  #2 turn 2, round 1: A summary.; proposes d_7 change  LOG (replaces d_1); needs PostgreSQL 16; needs Redis; next I wait.                         12:10',
  ]);
});

test('the date stands above the news of a day', () => {
  const printer = createMessagePrinter(page, {}, { isNews: true });
  const at = (time: string) => printer.lines({ ...turn(2, 'agent_b', {}), at: time }).map((one) => one.slice(0, 42));
  expect(at('2026-11-27T23:58:00Z')).toEqual(['2026-11-27 UTC', '● agent_b  #2 turn 2, round 1: A summary. ']);
  expect(at('2026-11-27T23:59:59Z')).toEqual(['● agent_b  #2 turn 2, round 1: A summary. ']);
  expect(at('2026-11-28T00:00:00Z')).toEqual(['2026-11-28 UTC', '● agent_b  #2 turn 2, round 1: A summary. ']);
});

test('a piece of news that does not fit ends with …', () => {
  const opened = (text: string) =>
    messageBy('owner', 'intervention.opened', { type: 'DIRECTIVE', text }, { at: '2026-11-27T12:10:00Z' });
  expect(line(opened(`Wait.\n\n${long}`), 60)).toEqual([
    '● owner  #1 directs agent_a (i_1): Wait.               12:10',
  ]);
  const [whole = ''] = line(opened(long), Number.POSITIVE_INFINITY);
  expect(whole.length).toBeLessThan(300);
  expect(whole).toMatch(/^● owner {2}#1 directs agent_a \(i_1\): word word .*… {2}12:10$/);
});
