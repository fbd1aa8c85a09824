/** What a check found. */
export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do next; there unless the status is `ok`. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** It works now, but may fail later or is slower than it could be. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Something does not work, or acknowledged data can be lost. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

/** The first result that is defined. */
export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;
