const ANSWER_MS = 10_000;

/** An answer that came through whatever stands in front of the service. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The members of a JSON object; undefined for anything else, such as the page of a proxy. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly tookMs: number;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long the answer may take. */
  readonly withinMs?: number;
}

/** Asks without following redirects: a POST would come out as a GET. */
export async function askSite(url: string, { withinMs = ANSWER_MS, ...question }: Question = {}): Promise<SiteAnswer> {
  const start = performance.now();
  const answer = await fetch(url, { ...question, redirect: 'manual', signal: AbortSignal.timeout(withinMs) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: readJson(text), tookMs: performance.now() - start };
}

/** Whether it is an error of the service, by its shape. */
export const isOwnError = ({ json }: SiteAnswer): boolean => json?.ok === false && typeof json.error === 'string';

/** An answer in few words, for people. */
export function describeAnswer({ status, headers, json }: SiteAnswer): string {
  if (json && typeof json.error === 'string') return `${status} ${json.error}`;
  const target = headers.get('location');
  if (target) return `${status}, a redirect`;
  return `${status} ${json ? 'with other JSON' : `with ${headers.get('content-type') ?? 'no content'}`}`;
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
