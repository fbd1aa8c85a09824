export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What the operator should do next. Absent if `standing` is `ok`. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** Creates a result for something that works now, but may fail later or is slower than necessary. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Creates a result for something that does not work, or that can lose acknowledged data. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;

/**
 * The message of an error with its code. If the error has a cause, returns the message and the code of the cause,
 * because only the cause of a `fetch` error says why the request failed.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const text = error.message || code || error.name;
  return code && !text.includes(code) ? `${text} (${code})` : text;
}
