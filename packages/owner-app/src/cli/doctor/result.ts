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
