import { expect, test } from 'vitest';
import { planFaults } from './chaos/plan.ts';
import { readSettings } from './settings.ts';

const TROUBLE = { seconds: 20, hosts: 3, kills: 5, servers: 1, restarts: 2, cuts: 8, rounds: 0 };

test('plans the same faults for the same seed, and others for another one', () => {
  expect(planFaults(7, TROUBLE)).toEqual(planFaults(7, TROUBLE));
  expect(planFaults(7, TROUBLE)).not.toEqual(planFaults(8, TROUBLE));
});

test('plans as many of each kind as wanted, within the time and on hosts that are there', () => {
  const plan = planFaults(7, TROUBLE);
  const count = (kind: string): number => plan.filter((fault) => fault.kind === kind).length;
  expect([count('kill'), count('restart'), count('cut')]).toEqual([5, 2, 8]);
  expect(plan.filter(({ atMs }) => atMs < 1_500 || atMs > 20_000)).toEqual([]);
  expect(plan.filter((fault) => fault.kind === 'kill' && ![0, 1, 2].includes(fault.host))).toEqual([]);
});

test('restarts each server of Citus', () => {
  const plan = planFaults(7, { ...TROUBLE, servers: 3, restarts: 30 });
  const servers = plan.flatMap((fault) => (fault.kind === 'restart' ? [fault.server] : []));
  expect(servers).toHaveLength(30);
  expect([...new Set(servers)].toSorted()).toEqual([0, 1, 2]);
  expect(readSettings(['--citus']).servers).toBe(3);
  expect(readSettings([]).servers).toBe(1);
});

test('runs two minutes with five restarts and fifty cuts, or twenty seconds', () => {
  expect(readSettings(['--seed', '7'])).toMatchObject({
    ...{ seed: 7, seconds: 120 },
    restarts: 5,
    cuts: 50,
    hosts: 3,
  });
  expect(readSettings(['--short'])).toMatchObject({ seconds: 20, restarts: 2, cuts: 8 });
  expect(readSettings([], { TORTURE: 'short' })).toMatchObject({ seconds: 20 });
  expect(readSettings(['--seconds', '600', '--hosts', '5'])).toMatchObject({ restarts: 25, cuts: 252, hosts: 5 });
});

test('says what is wrong with a flag', () => {
  expect(() => readSettings(['--seconds', 'long'])).toThrow('--seconds takes a whole number above 0, not long.');
  expect(() => readSettings(['--proxy', 'squid'])).toThrow('--proxy takes nginx or own, not squid.');
});
