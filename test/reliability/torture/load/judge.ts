import type { Json } from '@parley/missions';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

export type Verdict =
  | { readonly kind: 'answered'; readonly body: Json }
  | { readonly kind: 'refused'; readonly code: string; readonly body: Json }
  /** The outcome of the call is unknown. The caller can repeat the call. */
  | { readonly kind: 'away'; readonly why: string; readonly retryAfter?: number }
  /** A wrong answer that an unavailable database or host does not explain. */
  | { readonly kind: 'wrong'; readonly text: string };

const OUTAGES = ['SHUTTING_DOWN', 'STORAGE_UNAVAILABLE'];

/** Classifies an answer. Allowed 5xx answers are those with a code of `OUTAGES`, and the proxy's own 502. */
export function judge({ status, text, retryAfter }: Reply, over: 'rest' | 'mcp'): Verdict {
  const wrong = { kind: 'wrong' as const, text: `${status} ${text.slice(0, 300)}` };
  const value = parsed(text);
  if (value === undefined) return status === 502 ? { kind: 'away', why: 'proxy 502' } : wrong;
  const { body, error } = over === 'rest' ? restResult(status, value) : mcpResult(value);
  if (error === undefined) return status === 200 && body !== undefined ? { kind: 'answered', body } : wrong;
  const code = String(error.error);
  if (OUTAGES.includes(code)) {
    if (status !== 503 && over === 'rest') return wrong;
    return retryAfter === undefined && status === 503
      ? { ...wrong, text: `${wrong.text} without Retry-After` }
      : { kind: 'away', why: code, ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }) };
  }
  return status >= 500 || code === 'INTERNAL' || error.error === undefined
    ? wrong
    : { kind: 'refused', code, body: error };
}

interface Result {
  readonly body?: Json | undefined;
  /** The error body, as the specification defines it. */
  readonly error?: Json;
}

const restResult = (status: number, value: Json): Result => (status === 200 ? { body: value } : { error: value });

function mcpResult({ result, error }: Json): Result {
  if (error !== undefined) return { error: memberOf(error, 'data') ?? {} };
  const { isError, content, structuredContent } = Object(result);
  if (isError !== true) return { body: structuredContent };
  return { error: parsed(String(Object(Array.isArray(content) ? content[0] : {}).text)) ?? {} };
}

const memberOf = (value: unknown, name: string): Json | undefined => Object(value)[name];

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
