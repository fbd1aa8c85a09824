/** What a check found. */
export interface Finding {
  readonly standing: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do next; there whenever something is not ok. */
  readonly advice?: string;
}

export const fine = (found: string): Finding => ({ standing: 'ok', found });
/** It works, and will not always, or not as well as it could. */
export const doubtful = (found: string, advice: string): Finding => ({ standing: 'warn', found, advice });
/** Something does not work, or loses what was acknowledged. */
export const broken = (found: string, advice: string): Finding => ({ standing: 'fail', found, advice });

/** The first that is there. */
export const firstOf = (...findings: readonly (Finding | false | undefined)[]): Finding | undefined =>
  findings.find((finding) => finding !== undefined && finding !== false) || undefined;
