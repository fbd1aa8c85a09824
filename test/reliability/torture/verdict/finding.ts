/** What one check looked at and what is wrong with it. */
export interface Finding {
  readonly check: string;
  /** How many things, such as `1,204 writes`. */
  readonly looked: string;
  readonly faults: readonly string[];
  /** For people; says nothing about right and wrong. */
  readonly note?: string;
}

export const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;
