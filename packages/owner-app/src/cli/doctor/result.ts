/** The result of a check. */
export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What the operator should do next. Absent if the status is `ok`. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** Makes a result with the status `warn`: the part works now, but may fail later or is slower than it could be. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Makes a result with the status `fail`: the part does not work, or acknowledged data can be lost. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

/** Returns the first argument that is a result. Undefined if none is. */
export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;
