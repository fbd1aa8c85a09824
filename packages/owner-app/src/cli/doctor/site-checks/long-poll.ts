import { sessionIdInSecret } from '@parley/core';
import { onSite } from '../check.ts';
import { reasonOf } from '../reason.ts';
import { fail, pass, warn } from '../result.ts';
import { askSite, describeAnswer } from '../site.ts';

const WAIT_SECONDS = 25;
/** As long as a poll lasts, and what the way may need. */
const WITHIN_MS = 40_000;
const ADVICE =
  'Let answers take a minute: proxy_read_timeout 60s in nginx, timeout server 60s in HAProxy, the idle time-out of a cloud balancer.';

/** Holds one poll of the session that the token is for. Only when asked: it takes 25 seconds and a token. */
export const longPoll = onSite('long poll', async (url, { longPoll: isWanted, token }) => {
  if (!isWanted) return undefined;
  const sessionId = sessionIdInSecret('prt_', token ?? '');
  if (!token || !sessionId)
    return warn(
      'not tried: PARLEY_TOKEN holds no session token',
      'Set PARLEY_TOKEN to the token of any agent that has nothing to do now.',
    );
  const target = `${url}/api/public/agent/sessions/${sessionId}/state`;
  const headers = { authorization: `Bearer ${token}` };
  const now = await askSite(target, { headers });
  if (now.status !== 200)
    return fail(`the token of PARLEY_TOKEN gets ${describeAnswer(now)}`, 'Redeem a new invitation.');
  const poll = `${target}?wait=${WAIT_SECONDS}&after=${Number(now.json?.cursor ?? 0)}`;
  const answer = await askSite(poll, { headers, withinMs: WITHIN_MS }).catch(reasonOf);
  if (typeof answer === 'string') return fail(`a held request broke: ${answer}`, ADVICE);
  const seconds = (answer.tookMs / 1000).toFixed(1);
  if (answer.status !== 200) return fail(`a held request got ${describeAnswer(answer)} after ${seconds} s`, ADVICE);
  if (answer.tookMs < (WAIT_SECONDS - 1) * 1_000)
    return warn(
      `answered after ${seconds} s: something happened in that session`,
      'Try again with a token of an agent that has nothing to do, such as a moderator.',
    );
  return pass(`held for ${seconds} s and answered`);
});
