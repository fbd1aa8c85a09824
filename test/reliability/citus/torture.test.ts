import { expect, test } from 'vitest';
import { readSettings } from '../torture/settings.ts';
import { torture } from '../torture/torture.ts';
import { tableOf } from '../torture/verdict/table.ts';

test('hosts, servers of the cluster and connections die under load, and every guarantee holds', async () => {
  const settings = readSettings(['--citus', '--short', '--proxy', 'own', '--seconds', '40']);
  const { results, logs } = await torture(settings);
  console.log(`seed ${settings.seed}\n${tableOf(results)}`);
  expect({ logs, faults: results.flatMap(({ faults }) => faults) }).toEqual({ logs, faults: [] });
  expect(results.length).toBeGreaterThan(9);
});
