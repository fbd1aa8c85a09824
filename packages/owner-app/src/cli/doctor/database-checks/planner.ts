import { onPostgres, settingsOf } from '../check.ts';
import { pass, warn } from '../result.ts';

/** Compiling a statement costs more than the statement. Parley turns it off on its connections; a pooler forgets that. */
export const planner = onPostgres('JIT', async (postgres) => {
  const isOn = (await settingsOf(postgres, ['jit'])).get('jit') === 'on';
  if (!isOn) return pass('off');
  if (!(await postgres.isPooled())) return pass('on in the server, off on the connections of Parley');
  return warn(
    'on, and the pooler keeps Parley from turning it off: statements may take ten milliseconds longer',
    'alter role … set jit = off, for the user of the service.',
  );
});
