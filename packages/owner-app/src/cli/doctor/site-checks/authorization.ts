import { onSite } from '../check.ts';
import { fail, pass } from '../result.ts';
import { askSite, describeAnswer, isOwnError } from '../site.ts';

/** A text that has the form of a token, but belongs to no agent. */
const NO_TOKEN = `prt_${'0'.repeat(71)}`;
const NO_SESSION = '0'.repeat(22);

/**
 * Checks whether the proxy forwards the header Authorization. Parley answers a request without this header differently
 * from a request with an unknown token, so the check compares both answers.
 */
export const authorization = onSite('authorization', async (url) => {
  const target = `${url}/api/public/agent/sessions/${NO_SESSION}/state`;
  const without = await askSite(target);
  const answer = await askSite(target, { headers: { authorization: `Bearer ${NO_TOKEN}` } });
  if (answer.status === 429 && isOwnError(answer))
    return pass(
      'not tried: the address of this machine has reached the request limit of the server; try again in a minute',
    );
  if (!isOwnError(answer) || answer.json?.error !== 'UNAUTHORIZED')
    return fail(
      `a request with an unknown token gets ${describeAnswer(answer)} instead of Parley's answer 401 UNAUTHORIZED`,
      'Configure the proxy to forward requests and answers below /api/public unchanged, without its own login or error pages.',
    );
  if (without.json?.message === answer.json.message)
    return fail(
      'the header Authorization does not reach Parley',
      'Configure the proxy to forward this header. Some proxies remove it, or use it for their own login (auth_basic of nginx).',
    );
  return pass('the header Authorization reaches Parley');
});
