export interface CheckResult {
  readonly check: string;
  /** What was examined and how much, such as `1,204 writes`. */
  readonly looked: string;
  readonly faults: readonly string[];
  /** Shown in the table, without effect on the result. */
  readonly note?: string;
}

export const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;
