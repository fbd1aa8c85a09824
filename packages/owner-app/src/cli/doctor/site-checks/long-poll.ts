import { sessionIdInSecret } from '@parley/core';
import { onSite } from '../check.ts';
import { reasonOf } from '../reason.ts';
import { fail, pass, warn } from '../result.ts';
import { askSite, describeAnswer } from '../site.ts';

const WAIT_SECONDS = 25;
/** Milliseconds to wait for the answer: 25 seconds for the long-poll, and 15 seconds for the network and proxies. */
const WITHIN_MS = 40_000;
const ADVICE =
  'Allow answers to take a minute: with proxy_read_timeout 60s in nginx, timeout server 60s in HAProxy, or the idle time-out of a cloud load balancer.';

/**
 * Checks whether a long-poll can last 25 seconds, by making a long-poll with the token in `PARLEY_TOKEN`. Runs only
 * with `--long-poll`.
 */
export const longPoll = onSite('long poll', async (url, { longPoll: isWanted, token }) => {
  if (!isWanted) return undefined;
  const sessionId = sessionIdInSecret('prt_', token ?? '');
  if (!token || !sessionId)
    return warn(
      'not tried: PARLEY_TOKEN is not set to a session token',
      'Set PARLEY_TOKEN to the session token of an agent that has nothing to do now.',
    );
  const target = `${url}/api/public/agent/sessions/${sessionId}/state`;
  const headers = { authorization: `Bearer ${token}` };
  const now = await askSite(target, { headers });
  if (now.status !== 200)
    return fail(
      `a request with the token in PARLEY_TOKEN gets ${describeAnswer(now)}`,
      'Redeem a new invitation, and set PARLEY_TOKEN to its token.',
    );
  const poll = `${target}?wait=${WAIT_SECONDS}&after=${Number(now.json?.cursor ?? 0)}`;
  const answer = await askSite(poll, { headers, withinMs: WITHIN_MS }).catch(reasonOf);
  if (typeof answer === 'string') return fail(`a request that should wait 25 s failed: ${answer}`, ADVICE);
  const seconds = (answer.tookMs / 1000).toFixed(1);
  if (answer.status !== 200)
    return fail(`a request that should wait 25 s got ${describeAnswer(answer)} after ${seconds} s`, ADVICE);
  if (answer.tookMs < (WAIT_SECONDS - 1) * 1_000)
    return warn(
      `a request that should wait 25 s was answered after ${seconds} s, because the session changed`,
      'Run parley doctor again with the token of an agent that has nothing to do, such as a moderator.',
    );
  return pass(`a request waited ${seconds} s and was answered`);
});
