import { sessionIdInSecret } from '@parley/core';
import { onSite } from '../check.ts';
import { reasonOf } from '../reason.ts';
import { fail, pass, warn } from '../result.ts';
import { askSite, describeAnswer } from '../site.ts';

const WAIT_SECONDS = 25;
/** Milliseconds for the answer: 25 seconds of the poll, and 15 seconds for the network and proxies. */
const WITHIN_MS = 40_000;
const ADVICE =
  'Allow answers to take a minute: proxy_read_timeout 60s in nginx, timeout server 60s in HAProxy, the idle time-out of a cloud load balancer.';

/**
 * Checks whether a poll can last 25 seconds: holds a poll of the token's session. Runs only with `--long-poll`, because it
 * takes that time and needs a token.
 */
export const longPoll = onSite('long poll', async (url, { longPoll: isWanted, token }) => {
  if (!isWanted) return undefined;
  const sessionId = sessionIdInSecret('prt_', token ?? '');
  if (!token || !sessionId)
    return warn(
      'not tried: PARLEY_TOKEN holds no session token',
      'Set PARLEY_TOKEN to the session token of an agent that has nothing to do now.',
    );
  const target = `${url}/api/public/agent/sessions/${sessionId}/state`;
  const headers = { authorization: `Bearer ${token}` };
  const now = await askSite(target, { headers });
  if (now.status !== 200)
    return fail(`the token of PARLEY_TOKEN gets ${describeAnswer(now)}`, 'Redeem a new invitation.');
  const poll = `${target}?wait=${WAIT_SECONDS}&after=${Number(now.json?.cursor ?? 0)}`;
  const answer = await askSite(poll, { headers, withinMs: WITHIN_MS }).catch(reasonOf);
  if (typeof answer === 'string') return fail(`a held request failed: ${answer}`, ADVICE);
  const seconds = (answer.tookMs / 1000).toFixed(1);
  if (answer.status !== 200) return fail(`a held request got ${describeAnswer(answer)} after ${seconds} s`, ADVICE);
  if (answer.tookMs < (WAIT_SECONDS - 1) * 1_000)
    return warn(
      `answered after ${seconds} s: something happened in that session`,
      'Try again with a token of an agent that has nothing to do, such as a moderator.',
    );
  return pass(`held for ${seconds} s and answered`);
});
