import { judgeClock } from '../database-checks/clock.ts';
import { pass } from '../result.ts';
import { askWorkers, onCitus } from './cluster.ts';

/** Checks whether the clocks of the workers agree with the clock of this machine, which sets the times of events. */
export const workerClocks = onCitus('Citus clocks', async (postgres) => {
  const before = Date.now();
  const answers = await askWorkers(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  const answered = answers.filter(({ success }) => success);
  if (answered.length === 0) return undefined;
  const judged = answered.map(({ worker, result }) =>
    judgeClock(Number(result), { before, after, place: `the worker ${worker}` }),
  );
  return (
    judged.find(({ standing }) => standing !== 'ok') ??
    pass(`the clocks of ${answered.length} workers and of this machine differ by less than two seconds`)
  );
});
