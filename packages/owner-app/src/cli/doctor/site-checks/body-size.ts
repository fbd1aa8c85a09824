import { onSite } from '../check.ts';
import { fail, pass, warn } from '../result.ts';
import { askSite, describeAnswer, isOwnError, type SiteAnswer } from '../site.ts';

/** A body of 199,900 characters with four bytes each, nearly the largest body that the service accepts. */
const BODY = JSON.stringify({ code: '😀'.repeat(199_900) });
const ADVICE =
  'Let the proxy accept bodies of 800,000 bytes, for example with client_max_body_size 2m in nginx. HAProxy has no such limit.';

/**
 * Checks whether the proxy forwards large bodies, by redeeming a very long text that is no invitation code. If Parley
 * itself refuses the text, the body has arrived.
 */
export const bodySize = onSite('body size', async (url) => {
  const headers = { 'content-type': 'application/json' };
  const target = `${url}/api/public/agent/invitations/redeem`;
  const answer = await askSite(target, { method: 'POST', headers, body: BODY }).catch(() => undefined);
  if (!answer) return fail('the connection broke while a body of 200,000 characters was sent', ADVICE);
  return judgeBody(answer);
});

function judgeBody(answer: SiteAnswer) {
  if (isOwnError(answer) && answer.json?.error !== 'BODY_TOO_LARGE')
    return pass('a body of 200,000 characters arrives');
  if (answer.status === 413) return fail('the proxy refuses a body of 200,000 characters (413)', ADVICE);
  return warn(`a body of 200,000 characters gets ${describeAnswer(answer)}`, ADVICE);
}
