import { onSite } from '../check.ts';
import { fail, pass } from '../result.ts';
import { askSite, describeAnswer, isOwnError } from '../site.ts';

/** A text that has the form of a token. It is not the token of any agent. */
const NO_TOKEN = `prt_${'0'.repeat(71)}`;
const NO_SESSION = '0'.repeat(22);

/**
 * Checks whether the proxy passes on the header Authorization. Compares two answers: Parley answers a request without the
 * header differently from a request with an unknown token.
 */
export const authorization = onSite('authorization', async (url) => {
  const target = `${url}/api/public/agent/sessions/${NO_SESSION}/state`;
  const without = await askSite(target);
  const answer = await askSite(target, { headers: { authorization: `Bearer ${NO_TOKEN}` } });
  if (answer.status === 429 && isOwnError(answer)) return pass('not tried: this address has reached its request limit');
  if (!isOwnError(answer) || answer.json?.error !== 'UNAUTHORIZED')
    return fail(
      `a request with an unknown token gets ${describeAnswer(answer)}, not the 401 of Parley`,
      'Configure the proxy to pass on requests and answers of /api/public unchanged, without its own login or error pages.',
    );
  if (without.json?.message === answer.json.message)
    return fail(
      'the header Authorization does not reach Parley',
      'Configure the proxy to pass it on; some remove it, or use it themselves (auth_basic of nginx).',
    );
  return pass('the header reaches Parley');
});
