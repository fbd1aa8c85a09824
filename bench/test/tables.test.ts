import { describe, expect, test } from 'vitest';
import type { Bench, Figure } from '../src/bench.ts';
import type { MachineResults } from '../src/results/files.ts';
import { renderPage } from '../src/results/markdown.ts';
import { renderBench } from '../src/results/report.ts';
import type { Measured } from '../src/results/rounds.ts';

const BENCH: Bench = {
  name: 'read',
  ours: 'GET state.',
  floor: 'One SELECT.',
  figures: [],
  prepare: () => Promise.reject(new Error('Nothing is run here.')),
};

const figureOf = (figure: Figure, values: Partial<Measured> = {}): Measured => ({
  case: '',
  figure,
  ours: 12_345.6,
  floor: 8_230.4,
  ratio: { median: 1.5, min: 1.25, max: 1.625 },
  ...values,
});

const MET = figureOf({ name: 'requests', unit: '/s', ratio: { atLeast: 1.5 } });
const MISSED = figureOf(
  { name: 'p50', unit: 'ms', limit: { atMost: 20 } },
  {
    case: '10,000 events',
    ours: 42.625,
    floor: 362,
    ratio: { median: 0.118, min: 0.093, max: 5 },
  },
);
const SHOWN_ONLY = figureOf({ name: 'p95', unit: 'ms', beside: 'SDK 1.x' }, { ratio: { median: 5, min: 4, max: 6 } });

describe('the table for the terminal', () => {
  const lines = renderBench(BENCH, [MET, MISSED, SHOWN_ONLY]).split('\n');

  test('says what is compared', () => {
    expect(lines.slice(0, 4)).toEqual(['', 'read', '  Ours: GET state.', '  Floor: One SELECT.']);
    const peered: Bench = { ...BENCH, peers: 'An echo.' };
    expect(renderBench(peered, []).split('\n').slice(2, 5)).toEqual([
      '  Ours: GET state.',
      '  Peers: An echo.',
      '  Floor: One SELECT.',
    ]);
  });

  test('shows ours, the floor, the ratio and its spread, the target, and a bar with the floor as its mark', () => {
    const cells = lines.slice(5).map((line) => line.trim().split(/ {2,}/));
    expect(cells).toEqual([
      ['requests', '12,346 /s', '8,230 /s', '1.50 ×', '1.25–1.63', '≥ 1.5 ×', 'met', '██████████│█████'],
      ['p50, 10,000 events', '42.63 ms', '362 ms', '0.12 ×', '0.093–5.00', '≤ 20 ms', 'MISSED', '█·········│'],
      ['p95 beside SDK 1.x', '12,346 ms', '8,230 ms', '5.00 ×', '4.00–6.00', `██████████│${'█'.repeat(30)}→`],
    ]);
  });

  test('has its columns one below the other', () => {
    const bars = lines.slice(5).map((line) => line.indexOf('│'));
    expect(new Set(bars).size).toBe(1);
  });
});

describe('the page of results', () => {
  const conditions = {
    date: '2026-11-21',
    machine: '2 × Some Processor, 24 GB, Linux 6.18',
    versions: 'Node v20.20.2, PostgreSQL 15.18',
    peers: ['express 5.3.0'],
    rounds: '5 of each side, each of 5 s or 200 single calls',
    load: '0.10 0.20 0.30',
  };
  const COLD = { ...BENCH, name: 'cold' };
  const first: MachineResults = {
    name: 'some-processor',
    outcomes: [
      { bench: BENCH, conditions, measured: [MET, SHOWN_ONLY] },
      { bench: COLD, conditions, measured: [MISSED] },
    ],
  };
  const slower = { ...MET, ours: 8_000, floor: 7_800, ratio: { median: 1.026, min: 1.01, max: 1.3 } };
  const second: MachineResults = {
    name: 'other-processor',
    outcomes: [
      {
        bench: BENCH,
        conditions: { ...conditions, date: '2026-11-23', machine: '2 × Other Processor, 32 GB, Linux 6.18' },
        measured: [slower],
      },
      {
        bench: COLD,
        conditions: { ...conditions, peers: ['koa 3.3.0', 'express 5.3.0'] },
        measured: [],
        failed: 'No snapshot was stored.',
      },
    ],
  };
  const page = renderPage(
    [first, second],
    [
      { bench: BENCH, note: 'Half of it is the driver.\n' },
      { bench: COLD, note: undefined },
      { bench: { ...BENCH, name: 'new' }, note: undefined },
    ],
  );

  test('says for each machine how it was measured, how many targets were met, and which benches failed', () => {
    for (const line of [
      '| | some-processor | other-processor |',
      '| Machine | 2 × Some Processor, 24 GB, Linux 6.18 | 2 × Other Processor, 32 GB, Linux 6.18; 2 × Some Processor, 24 GB, Linux 6.18 |',
      '| Date | 2026-11-21 | 2026-11-23; 2026-11-21 |',
      '| Versions | Node v20.20.2, PostgreSQL 15.18 | Node v20.20.2, PostgreSQL 15.18 |',
      '| Peers | express 5.3.0 | express 5.3.0, koa 3.3.0 |',
      '| Load average before the first bench | 0.10 0.20 0.30 | 0.10 0.20 0.30 |',
      '| Targets met | 1 of 2 | 0 of 1; failed: cold |',
    ])
      expect(page.split('\n')).toContain(line);
  });

  test('has a table for each bench with a row for each machine and the range over all, and its note below', () => {
    expect(page.slice(page.indexOf('## read'))).toBe(
      [
        '## read',
        '',
        'Ours: GET state.\\',
        'Floor: One SELECT.',
        '',
        '| figure | machine | ours | peer or floor | ratio | min–max | target | | 0 … 1 (│) … 4 |',
        '|---|---|---|---|---|---|---|---|---|',
        '| requests | some-processor | 12,346 /s | 8,230 /s | 1.50 × | 1.25–1.63 | ≥ 1.5 × | met | ██████████│█████ |',
        '| | other-processor | 8,000 /s | 7,800 /s | 1.03 × | 1.01–1.30 | ≥ 1.5 × | MISSED | ██████████│ |',
        '| | all | | | 1.03–1.50 × | 1.01–1.63 | | | |',
        `| p95 beside SDK 1.x | some-processor | 12,346 ms | 8,230 ms | 5.00 × | 4.00–6.00 | | | ██████████│${'█'.repeat(30)}→ |`,
        '',
        'Half of it is the driver.',
        '',
        '## cold',
        '',
        'Ours: GET state.\\',
        'Floor: One SELECT.',
        '',
        '| figure | machine | ours | peer or floor | ratio | min–max | target | | 0 … 1 (│) … 4 |',
        '|---|---|---|---|---|---|---|---|---|',
        '| p50, 10,000 events | some-processor | 42.63 ms | 362 ms | 0.12 × | 0.093–5.00 | ≤ 20 ms | MISSED | █·········│ |',
        '',
        'Failed on other-processor: No snapshot was stored.',
        '',
        '## new',
        '',
        'Ours: GET state.\\',
        'Floor: One SELECT.',
        '',
        'Not measured.',
        '',
      ].join('\n'),
    );
  });
});
