import { onSite } from '../check.ts';
import { fail, pass } from '../result.ts';
import { askSite, describeAnswer, isOwnError } from '../site.ts';

/** Of the form of a token, and nobody's. */
const NO_TOKEN = `prt_${'0'.repeat(71)}`;
const NO_SESSION = '0'.repeat(22);

/** The service says different things of no header and of an unknown token: so the proxy can be seen to pass it on. */
export const authorization = onSite('authorization', async (url) => {
  const target = `${url}/api/public/agent/sessions/${NO_SESSION}/state`;
  const without = await askSite(target);
  const answer = await askSite(target, { headers: { authorization: `Bearer ${NO_TOKEN}` } });
  if (answer.status === 429 && isOwnError(answer)) return pass('not tried: this address is over its limit now');
  if (!isOwnError(answer) || answer.json?.error !== 'UNAUTHORIZED')
    return fail(
      `a request with an unknown token gets ${describeAnswer(answer)}, not the 401 of Parley`,
      'Let the proxy pass on requests and answers of /api/public as they are, without a login or error pages of its own.',
    );
  if (without.json?.message === answer.json.message)
    return fail(
      'the header Authorization does not arrive',
      'Let the proxy pass it on; some take it away, or use it themselves (auth_basic of nginx).',
    );
  return pass('the header arrives');
});
