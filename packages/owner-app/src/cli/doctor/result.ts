/** The result of a check. */
export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do next. Absent if the status is `ok`. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** Makes the result of a check that found a part that works now, but may fail later or is slower than it could be. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Makes the result of a check that found a part that does not work, or a way in which acknowledged data can be lost. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

/** The first result that a check has found; undefined if there is none. */
export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;
