import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Bench } from '../src/bench.ts';
import { BENCHES } from '../src/benches.ts';
import { readResults, saveOutcome } from '../src/results/files.ts';
import { renderPage } from '../src/results/markdown.ts';

const benchOf = (name: string): Bench => ({
  name,
  ours: 'Ours.',
  floor: 'Floor.',
  figures: [{ name: 'requests', unit: '/s', ratio: { atLeast: 1 } }],
  prepare: () => Promise.reject(new Error('Nothing is run here.')),
});
const [READ, WRITE] = [benchOf('read'), benchOf('write')];
const conditions = {
  date: '2026-11-21',
  machine: '2 × One',
  versions: 'Node v20',
  peers: ['express 5.3.0'],
  rounds: '5',
  load: '0.1 0.2 0.3',
};
const outcomeOf = (bench: Bench, ours: number) => ({
  bench,
  conditions,
  measured: bench.figures.map((figure) => ({
    case: '',
    figure,
    ours,
    floor: 100.123456,
    ratio: { median: ours / 100, min: 1, max: 2 },
  })),
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'parley-bench-results-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe('a file of results', () => {
  test('keeps the outcomes of the benches that are not measured again, in the order of the benches', () => {
    const place = folder();
    const file = join(place, 'one.json');
    for (const outcome of [outcomeOf(WRITE, 120), outcomeOf(READ, 110), outcomeOf(WRITE, 130.987654)])
      saveOutcome(file, outcome, [READ, WRITE]);
    const [machine, ...others] = readResults(place, [READ, WRITE]);
    expect(others).toEqual([]);
    expect(machine?.name).toBe('one');
    expect(machine?.outcomes.map(({ bench, measured }) => [bench.name, measured[0]?.ours, measured[0]?.floor])).toEqual(
      [
        ['read', 110, 100.12],
        ['write', 130.99, 100.12],
      ],
    );
  });

  test('is judged by the targets of now, and a figure that is no longer measured is left out', () => {
    const place = folder();
    saveOutcome(join(place, 'one.json'), outcomeOf(READ, 110), [READ]);
    const [figure] = READ.figures;
    const stricter: Bench = { ...READ, figures: figure ? [{ ...figure, ratio: { atLeast: 1.5 } }] : [] };
    expect(readResults(place, [stricter])[0]?.outcomes[0]?.measured[0]?.figure.ratio).toEqual({ atLeast: 1.5 });
    expect(readResults(place, [{ ...READ, figures: [] }])[0]?.outcomes[0]?.measured).toEqual([]);
  });

  test('keeps the message of a bench that failed', () => {
    const place = folder();
    saveOutcome(join(place, 'one.json'), { bench: READ, conditions, measured: [], failed: 'No answer.' }, [READ]);
    expect(readResults(place, [READ])[0]?.outcomes[0]).toMatchObject({ measured: [], failed: 'No answer.' });
  });

  test('keeps the versions of the peers, and has none where it was written before they were kept', () => {
    const place = folder();
    const file = join(place, 'one.json');
    const peers = () => readResults(place, [READ])[0]?.outcomes[0]?.conditions.peers;
    saveOutcome(file, outcomeOf(READ, 110), [READ]);
    expect(peers()).toEqual(['express 5.3.0']);
    const { peers: _, ...earlier } = conditions;
    writeFileSync(file, JSON.stringify([{ bench: 'read', conditions: earlier, figures: [] }]));
    expect(peers()).toEqual([]);
  });

  test('of another form is refused by its path', () => {
    const place = folder();
    writeFileSync(join(place, 'one.json'), '[{"bench":"read"}]');
    expect(() => readResults(place, [READ])).toThrow(`${join(place, 'one.json')} is not a file of results.`);
  });
});

describe('bench/RESULTS.md', () => {
  const machines = readResults('bench/results', BENCHES);

  test('has the tables of bench/results; pnpm bench --page writes them', () => {
    const noted = BENCHES.map((bench) => ({ bench, note: undefined }));
    const rows = (page: string) => page.split('\n').filter((line) => line.startsWith('|'));
    expect(rows(readFileSync('bench/RESULTS.md', 'utf8'))).toEqual(rows(renderPage(machines, noted)));
  });
});
