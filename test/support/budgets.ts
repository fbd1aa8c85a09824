import { readFileSync } from 'node:fs';

/** How many bytes something took when it was recorded. */
interface Budget {
  readonly name: string;
  /** What is counted. */
  readonly counts: string;
  readonly bytes: number;
  /** Why it takes so many bytes: a line more for each time that the record rose. */
  readonly why: readonly string[];
}

const BUDGETS: readonly Budget[] = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** Part of the recorded bytes by which a size may exceed them before its record has to rise. */
const MARGIN = 0.01;

/** Empty if a size is within its budget, else what exceeds it. Fails for a name without a budget. */
export function overBudget(name: string, bytes: number): string[] {
  const budget = BUDGETS.find((one) => one.name === name);
  if (budget === undefined) throw new Error(`test/support/budgets.json has no budget "${name}".`);
  if (bytes <= budget.bytes * (1 + MARGIN)) return [];
  return [`${name} (${budget.counts}): ${bytes} bytes, recorded ${budget.bytes}`];
}
