/** Result of one check: how much it examined, and the faults it found. */
export interface Finding {
  readonly check: string;
  /** The number of things examined, such as `1,204 writes`. */
  readonly looked: string;
  readonly faults: readonly string[];
  /** A remark for people; does not affect the result. */
  readonly note?: string;
}

export const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;
