export interface CheckResult {
  readonly check: string;
  /** What was examined and how much, such as `1,204 writes`. */
  readonly looked: string;
  readonly faults: readonly string[];
  /** A text for the table of results. The text does not affect whether the check passes. */
  readonly note?: string;
}

export const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;
