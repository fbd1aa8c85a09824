import { onPostgres, settingsOf } from '../check.ts';
import { pass, warn } from '../result.ts';

/**
 * Checks whether JIT is off. With JIT, compiling a statement takes longer than running it. Parley turns JIT off for its
 * connections, but a pooler drops that setting.
 */
export const planner = onPostgres('JIT', async (postgres) => {
  const isOn = (await settingsOf(postgres, ['jit'])).get('jit') === 'on';
  if (!isOn) return pass('off');
  if (!(await postgres.isPooled())) return pass('on in the server, off for the connections of Parley');
  return warn(
    'on, and behind a pooler Parley cannot turn it off: a statement may take 10 ms longer',
    'Run alter role … set jit = off for the user of the service.',
  );
});
