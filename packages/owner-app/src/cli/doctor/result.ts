/** What a check found. */
export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do next; there whenever something is not ok. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** It works, and will not always, or not as well as it could. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Something does not work, or loses what was acknowledged. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

/** The first that is there. */
export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;
