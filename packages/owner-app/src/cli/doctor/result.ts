/** The result of a check. */
export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What the operator should do next. Absent if the status is `ok`. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** Creates a result with the status `warn`: what was checked works now, but may fail later or is slower than necessary. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Creates a result with the status `fail`: what was checked does not work, or acknowledged data can be lost. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

/** Returns the first argument that is a result. Undefined if none is. */
export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;
