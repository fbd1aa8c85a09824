import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawHistory } from '../src/guard/draw-history.ts';
import { ALLOWANCE_ELSEWHERE, judge, type Measured } from '../src/guard/figures.ts';
import { readHistory, record } from '../src/guard/history.ts';

const RECORDED: Measured = { turn: 4, read: 1, poll: 5, version: 1.8, help: 2, session: 10 };

test('a figure is too high above 15 % more than the recorded one, and a lower one passes', () => {
  const measured: Measured = { turn: 4.6, read: 1.16, poll: 5.74, version: 0.9, help: 2, session: 11.6 };
  expect(judge(measured, RECORDED).map(({ name, percent, isTooHigh }) => [name, percent, isTooHigh])).toEqual([
    ['turn', 15, false],
    ['read', 16, true],
    ['poll', 15, false],
    ['version', -50, false],
    ['help', 0, false],
    ['session', 16, true],
  ]);
});

test('on a processor without a record, a figure is too high above twice the last one', () => {
  const found = judge({ ...RECORDED, turn: 8, read: 2.1 }, RECORDED, ALLOWANCE_ELSEWHERE);
  expect(found.filter(({ isTooHigh }) => isTooHigh).map(({ name }) => name)).toEqual(['read']);
});

test('a record is appended with rounded figures and its reason, and one without a reason is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-guard-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'guard.json');
  const first = { date: '2026-11-30', commit: '1eae79ba', processor: 'A', why: 'The first record.', figures: RECORDED };
  writeFileSync(file, JSON.stringify([first]));
  const second = { date: '2026-12-01', commit: 'c6f28716', processor: 'A', why: 'A rule more.' };
  record(file, { ...second, figures: { ...RECORDED, turn: 4.256789 } });
  expect(readHistory(file)).toEqual([first, { ...second, figures: { ...RECORDED, turn: 4.26 } }]);
  expect(() => record(file, { ...second, why: '', figures: RECORDED })).toThrow('why');
  expect(readHistory(file)).toHaveLength(2);
});

test('the picture shows the course of each figure, its highest value that passes, and why it changed', () => {
  const first = { date: '2026-11-30', commit: '1eae79ba', processor: 'A', why: 'The first record.', figures: RECORDED };
  const second = {
    ...first,
    date: '2026-12-01',
    commit: 'c6f28716',
    why: 'Fewer <copies>.',
    figures: { ...RECORDED, turn: 2 },
  };
  const elsewhere = { ...first, processor: 'B', figures: { ...RECORDED, turn: 9 } };
  const picture = drawHistory([first, elsewhere, second]);
  // The highest value is 4, and the axis ends 5 % above it: 4.2 are 70 pixels, from 122 upwards.
  expect(picture).toContain('<polyline class="line" points="16.0,55.3 284.0,88.7"/>');
  expect(picture).toContain('y1="83.7" y2="83.7"');
  expect(picture).toContain('<title>2 ×, 2026-12-01, c6f28716: Fewer &#60;copies&#62;.</title>');
});

test('the stored picture is drawn from the stored history', () => {
  expect(readFileSync('bench/pictures/guard.svg', 'utf8')).toBe(drawHistory(readHistory('bench/guard.json')));
});
