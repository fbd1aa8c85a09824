/** The result of one check: how much it has examined, and the faults that it found. */
export interface Finding {
  readonly check: string;
  /** What was examined and how much, such as `1,204 writes`. */
  readonly looked: string;
  readonly faults: readonly string[];
  /** A remark for the reader of the table. It does not affect the result. */
  readonly note?: string;
}

export const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;
