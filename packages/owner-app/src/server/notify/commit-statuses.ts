import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, type DueStatus, type StatusCalls, systemClock } from '@parley/core';
import { sessionPath } from '../../text/record-address.ts';
import { type Deliveries, type SenderOptions, startDeliveries } from './deliveries.ts';
import {
  type DeliveryResult,
  failed,
  isPrivateAddress,
  isTaken,
  lookupPublic,
  type Post,
  post,
  retryAfterMs,
} from './post.ts';

export interface CommitStatusOptions extends SenderOptions {
  readonly statuses: StatusCalls;
  /** Host names of forges that may have private addresses and need no TLS; `any`: every host. Default: none. */
  readonly hosts?: readonly string[] | 'any' | undefined;
}

/** Starts to post the commit statuses of all sessions in the background. */
export function startCommitStatuses(options: CommitStatusOptions): Deliveries {
  const { statuses, log, clock = systemClock, random = Math.random } = options;
  return startDeliveries<DueStatus>({
    noun: 'a commit status',
    nouns: 'commit statuses',
    idOf: ({ session_id, role, context, commit }) => `${session_id}:${role}:${context}:${commit}`,
    contentOf: ({ state, description, forge, api, repository }) =>
      [state, description, forge, api, repository].join(' '),
    sessions: () => sessionsOf(statuses),
    due: statuses.due,
    watch: statuses.watch,
    send: (status, signal) => postStatus(options, { status, clock, signal }),
    record: (status) => statuses.report(status.session_id, { ...reportOf(status), result: 'posted' }),
    recordFailure: (status, { reason, isFinal }) =>
      statuses.report(status.session_id, { ...reportOf(status), result: isFinal ? 'refused' : 'delayed', reason }),
    ...{ clock, random, log },
  });
}

const reportOf = ({ role, context, commit, state, description }: DueStatus) => ({
  ...{ role, context, commit, state, description },
});

/** The sessions with tokens. As ACTIVE, so that a sweep skips none: a draft or a paused session can have a due status. */
async function* sessionsOf({ sessions }: StatusCalls) {
  for await (const sessionId of sessions()) yield { sessionId, status: 'ACTIVE', seq: 0 };
}

interface Attempt {
  readonly status: DueStatus;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function postStatus(
  { statuses, hosts = [], pageOf }: CommitStatusOptions,
  { status, clock, signal }: Attempt,
): Promise<DeliveryResult> {
  const api = new URL(status.api);
  const isTrusted = hosts === 'any' || hosts.includes(api.hostname);
  const refusal = isTrusted ? undefined : refusedAddress(api);
  if (refusal !== undefined) return { result: 'refused', reason: refusal };
  const token = await statuses.token(status);
  if (token === null)
    return {
      result: 'refused',
      reason: 'this installation has no token that it can read: send it again with linkChange',
    };
  const request = {
    ...requestOf(status, token, pageOf(sessionPath(status.session_id))),
    judge: judgeOf(status, clock),
  };
  const outcome = await post(isTrusted ? request : { ...request, lookup: lookupPublic }, clock, signal);
  return outcome.result === 'failed' && outcome.reason === 'PRIVATE_HOST'
    ? { result: 'refused', reason: PRIVATE }
    : outcome;
}

const PRIVATE = 'the host has a private address: the operator has to name it in PARLEY_FORGE_HOSTS';

function refusedAddress(api: URL): string | undefined {
  if (isPrivateAddress(api)) return PRIVATE;
  return api.protocol === 'https:'
    ? undefined
    : 'the address is not https: the operator has to name the host in PARLEY_FORGE_HOSTS';
}

/** The request of a commit status, in the form of its forge. */
function requestOf({ forge, api, repository, ...status }: DueStatus, token: string, target_url: string): Post {
  const { commit, description, state } = status;
  const context = `parley/${status.context}`;
  if (forge === 'gitlab')
    return {
      url: `${api}/projects/${encodeURIComponent(repository)}/statuses/${commit}`,
      headers: { 'private-token': token },
      body: JSON.stringify({ state: state === 'failure' ? 'failed' : state, name: context, target_url, description }),
    };
  return {
    url: `${api}/repos/${repository}/statuses/${commit}`,
    headers:
      forge === 'github'
        ? {
            authorization: `Bearer ${token}`,
            accept: 'application/vnd.github+json',
            'x-github-api-version': '2022-11-28',
          }
        : { authorization: `token ${token}`, accept: 'application/json' },
    body: JSON.stringify({ state, target_url, description, context }),
  };
}

/** What an answer of a forge means, for the owner. */
const MEANINGS: Readonly<Record<number, string>> = {
  401: 'the forge does not accept the token (401)',
  403: 'the token may not set commit statuses in this repository (403)',
  404: 'no such repository or commit, or the token cannot see it (404)',
  422: 'the forge does not know the commit, or refuses the status (422)',
};

/** Answers after which a status is posted again, because an agent may declare a commit before it pushes it. */
const MAY_COME = new Set([404, 408, 409, 422, 425, 429]);

const judgeOf =
  ({ forge, state }: DueStatus, clock: Clock) =>
  (status: number, headers: IncomingHttpHeaders): DeliveryResult => {
    // GitLab refuses a status that is pending already.
    if (isTaken(status) || (status === 400 && forge === 'gitlab' && state === 'pending')) return { result: 'taken' };
    const reason =
      MEANINGS[status] ?? `the forge answered ${status}${isRedirect(status) ? ', which is not followed' : ''}`;
    const waitMs = Math.max(retryAfterMs(headers), limitedMs(headers, clock.now()));
    const isLimited = status === 403 && waitMs > 0;
    if (isLimited) return failed('the rate limit of the forge is used up (403)', waitMs);
    return status >= 500 || MAY_COME.has(status) ? failed(reason, waitMs) : { result: 'refused', reason };
  };

const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

const MAX_LIMITED_MS = 3_600_000;

/** Milliseconds until the rate limit begins anew. 0 if it is not used up. */
function limitedMs(headers: IncomingHttpHeaders, nowMs: number): number {
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  const isUsedUp = (headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']) === '0';
  return isUsedUp && reset > 0 ? Math.min(Math.max(reset * 1000 - nowMs, 1_000), MAX_LIMITED_MS) : 0;
}
