/** The result of a check. */
export interface Result {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** The next step; absent if the status is `ok`. */
  readonly advice?: string;
}

export const pass = (found: string): Result => ({ standing: 'ok', found });
/** Result of a check of a part that works now but may fail later or is slower than it could be. */
export const warn = (found: string, advice: string): Result => ({ standing: 'warn', found, advice });
/** Result of a check that found a part that does not work, or a way to lose acknowledged data. */
export const fail = (found: string, advice: string): Result => ({ standing: 'fail', found, advice });

/** The first result that is defined. */
export const firstOf = (...results: readonly (Result | false | undefined)[]): Result | undefined =>
  results.find((result) => result !== undefined && result !== false) || undefined;
