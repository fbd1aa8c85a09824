import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, parseOrNull } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';
import type { Seat } from '../agent/seat-file.ts';
import { readText, reasonOf } from '../client/answer-body.ts';
import { passingPauseMs } from '../client/passing-pause.ts';
import { proxiedFetch } from '../client/proxied-fetch.ts';

interface RelayOptions {
  /** The version on which client and service agreed. */
  readonly version?: string | undefined;
  /** Ends the request. The promise then rejects. */
  readonly signal?: AbortSignal;
}

/** For this long a message that has certainly not arrived is sent again. The usual limit of clients for one call is a minute. */
const AWAY_MS = 50_000;

/** Errors of a connection that was never made, so that the message has not arrived. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

export interface Relayed {
  readonly status: number;
  /** The answer as the service sent it; empty if a message has none. */
  readonly text: string;
}

/** A message that has no answer of the service. The text is for the model. */
export class RelayFault extends Error {}

/**
 * Sends a message to the service and returns the answer, both unchanged. Sends it again while no connection can be made or the
 * service says that it is stopping.
 */
export async function relay(
  { url, token }: Pick<Seat, 'url' | 'token'>,
  line: string,
  { version, signal }: RelayOptions = {},
): Promise<Relayed> {
  const begun = performance.now();
  const mayTryAgain = (): boolean => performance.now() - begun < AWAY_MS;
  for (let failures = 1; ; failures += 1) {
    const abort = new AbortController();
    const response = await proxiedFetch(`${url}/api/public/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      },
      body: line,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, abort.signal]) : abort.signal,
    }).catch((error: unknown) => {
      if (isNotConnected(error) && mayTryAgain()) return undefined;
      throw faultOf(url, error);
    });
    const answer = response && (await answerOf({ url, response, abort }));
    if (answer && !(isStopping(answer) && mayTryAgain())) return answer;
    await sleep(passingPauseMs(undefined, failures), undefined, signal ? { signal } : {});
  }
}

async function answerOf(body: Parameters<typeof readText>[0]): Promise<Relayed> {
  const { url, response } = body;
  const { status } = response;
  const text = await readText(body).catch((error: unknown) => {
    throw faultOf(url, error);
  });
  if (!(text === '' ? status === 202 : isOfJsonRpc(text)))
    throw new RelayFault(`${url} does not answer as a Parley service does (HTTP ${status}). Tell your user.`);
  // Outside of its strings, a line feed means nothing in JSON. Between messages on stdout it means the end.
  return { status, text: text.replace(/[\r\n]+/g, ' ') };
}

/** Whether a text is one message of JSON-RPC, or several in a list. A page of a proxy, or an answer in another form, is not. */
function isOfJsonRpc(text: string): boolean {
  const value = parseOrNull(text);
  const messages = Array.isArray(value) ? value : [value];
  return (
    messages.length > 0 &&
    messages.every(
      (message) =>
        isRecord(message) &&
        message.jsonrpc === '2.0' &&
        ['result', 'error', 'method'].some((member) => Object.hasOwn(message, member)),
    )
  );
}

/** The codes with which the service refuses a token. A proxy that wants a sign-in answers 401 too. */
const TOKEN_REFUSALS = ['UNAUTHORIZED', 'TOKEN_REVOKED', 'TOKEN_EXPIRED'];

/** @param refusal the error object of an answer with 401 */
export const isRefusalOfToken = (refusal: unknown): boolean =>
  TOKEN_REFUSALS.includes(readAs(refusal, { error: 'text' }).error);

/** Whether the service, and no proxy before it, says that the token does not hold. */
export const isTokenRefused = ({ status, text }: Relayed): boolean => status === 401 && isRefusalOfToken(dataOf(text));

/** The error object in the text of a JSON-RPC answer. */
const dataOf = (text: string): Json =>
  readAs(readAs(parseOrNull(text), { error: 'record' }).error, { data: 'record' }).data;

/** Whether the service refused the message because it is stopping. After another 503 a write may be stored. */
const isStopping = ({ status, text }: Relayed): boolean =>
  status === 503 && readAs(dataOf(text), { error: 'text' }).error === 'SHUTTING_DOWN';

const isNotConnected = (error: unknown): boolean => NOT_CONNECTED.includes(reasonOf(error));

const faultOf = (url: string, error: unknown): RelayFault =>
  new RelayFault(
    isNotConnected(error)
      ? `No service answers at ${url}. The call was not made. Make it again later.`
      : `The connection to ${url} broke (${reasonOf(error)}). The call may have been made: read the state before you repeat it.`,
  );
