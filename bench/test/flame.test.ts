import { expect, test } from 'vitest';
import { drawFlames } from '../src/flame/draw.ts';
import { readFrames } from '../src/flame/frames.ts';
import { ownByOrigin } from '../src/flame/origins.ts';

const CORE = 'file:///home/somebody/parley/packages/core/dist/kernel/engine/writes.js';
const PG = 'file:///home/somebody/parley/node_modules/.pnpm/pg@8.0.0/node_modules/pg/lib/client.js';

/**
 * A profile with a sample every 100 µs from 1,000 µs on: idle, `append`, `query`, garbage collector, a second
 * compilation of `append`, `query`.
 */
const PROFILE = JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2, 3, 5, 6] },
    { id: 2, callFrame: { functionName: '(idle)', url: '' } },
    { id: 3, callFrame: { functionName: 'append', url: CORE }, children: [4] },
    { id: 4, callFrame: { functionName: 'query<T>', url: PG } },
    { id: 5, callFrame: { functionName: '(garbage collector)', url: '' } },
    { id: 6, callFrame: { functionName: 'append', url: CORE } },
  ],
  startTime: 900,
  endTime: 1_600,
  samples: [2, 3, 4, 5, 6, 4],
  timeDeltas: [100, 100, 100, 100, 100, 100],
});

const ALL = readFrames(PROFILE, { from: 0, to: 10_000 });

test('a frame has the time of its own code and of the functions that it called, however often it was compiled', () => {
  expect(ALL).toEqual({
    name: 'all',
    file: '',
    us: 500,
    children: [
      {
        name: 'append',
        file: 'core/kernel/engine/writes.js',
        us: 400,
        children: [{ name: 'query<T>', file: 'pg/lib/client.js', us: 200, children: [] }],
      },
      { name: '(garbage collector)', file: '', us: 100, children: [] },
    ],
  });
});

test('samples outside of the period are left out', () => {
  expect(readFrames(PROFILE, { from: 1_200, to: 1_400 })).toMatchObject({
    us: 200,
    children: [
      { name: 'append', us: 100 },
      { name: '(garbage collector)', us: 100 },
    ],
  });
});

test('own time is summed by the origin of the code', () => {
  expect(ownByOrigin(ALL)).toEqual([
    ['core', 200],
    ['pg', 200],
    ['garbage collector', 100],
  ]);
});

test('the graph shows each function as wide as its time, on the one that called it', () => {
  const lines = drawFlames(ALL, { title: 'A turn', requests: 10 }).split('\n');
  const frames = lines.filter((line) => line.startsWith('<rect') && line.includes('<title>'));
  expect(lines[3]).toBe('<rect width="1200" height="116" fill="#fff"/>');
  expect(lines[5]).toContain('>50 µs of processor time a request, 10 requests;');
  expect(frames.map((line) => line.match(/<rect (.*) fill.*<title>(.*)<\/title>/)?.slice(1))).toEqual([
    ['x="0.0" y="100" width="1200.0" height="16"', 'all: 50 µs'],
    ['x="0.0" y="84" width="960.0" height="16"', 'append core/kernel/engine/writes.js: 40 µs'],
    ['x="0.0" y="68" width="480.0" height="16"', 'query&#60;T&#62; pg/lib/client.js: 20 µs'],
    ['x="960.0" y="84" width="240.0" height="16"', '(garbage collector): 10 µs'],
  ]);
});

test('a frame too narrow to be read is left out', () => {
  const children = [{ name: 'tiny', file: '', us: 1, children: [] }];
  expect(drawFlames({ name: 'all', file: '', us: 1_000, children }, { title: '', requests: 1 })).not.toContain('tiny');
});

test('a file outside packages and libraries is named from the root of the repository', () => {
  const url = new URL('../dist/servers/parley-server.js', import.meta.url).href;
  const profile = JSON.stringify({
    nodes: [
      { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2] },
      { id: 2, callFrame: { functionName: 'listen', url } },
    ],
    startTime: 0,
    endTime: 100,
    samples: [2, 2],
    timeDeltas: [50, 50],
  });
  const { children } = readFrames(profile, { from: 0, to: 1_000 });
  expect(children.map(({ file }) => file)).toEqual(['bench/servers/parley-server.js']);
});
