import { onPostgres, settingsOf } from '../check.ts';
import { pass, warn } from '../result.ts';

/**
 * Checks whether JIT is off, because compiling a statement takes longer than running it. Parley turns JIT off for its
 * own connections, but that setting does not pass through a pooler.
 */
export const planner = onPostgres('JIT', async (postgres) => {
  const isOn = (await settingsOf(postgres, ['jit'])).get('jit') === 'on';
  if (!isOn) return pass('off');
  if (!(await postgres.isPooled())) return pass('JIT is on in the server, but off for the connections of Parley');
  return warn(
    'JIT is on, and Parley cannot turn it off behind a pooler: each statement may take 10 ms longer',
    'Run for the database user of the service: alter role <user> set jit = off.',
  );
});
