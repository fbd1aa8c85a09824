import { readText } from '../client/answer-body.ts';
import { parseAnswer } from '../client/parse-answer.ts';
import { proxiedFetch } from '../client/proxied-fetch.ts';

const ANSWER_MS = 10_000;

/** An answer from the public address. A proxy may have changed the answer. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body of the answer. Undefined if the body is not a JSON object but, for example, the error page of a proxy. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly tookMs: number;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs?: number;
}

/** Sends a request to the public address. Does not follow redirects, because a redirected POST can become a GET. */
export async function askSite(url: string, { withinMs = ANSWER_MS, ...question }: Question = {}): Promise<SiteAnswer> {
  const start = performance.now();
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(withinMs)]);
  const answer = await proxiedFetch(url, { ...question, redirect: 'manual', signal });
  const text = await readText({ url, response: answer, abort });
  return {
    status: answer.status,
    headers: answer.headers,
    json: parseAnswer(text, ''),
    tookMs: performance.now() - start,
  };
}

/** Whether the answer has the form of an error of Parley. */
export const isOwnError = ({ json }: SiteAnswer): boolean => json?.ok === false && typeof json.error === 'string';

export function describeAnswer({ status, headers, json }: SiteAnswer): string {
  if (json && typeof json.error === 'string') return `${status} ${json.error}`;
  const target = headers.get('location');
  if (target) return `${status}, a redirect`;
  return `${status} ${json ? 'with other JSON' : `with ${headers.get('content-type') ?? 'no content'}`}`;
}
