import { memoizeBy } from '../../kernel/memoize.ts';
import type { Contract } from '../document/contract.ts';
import { faultAt } from './nodes.ts';
import type { CitedDecision } from './rule.ts';
import { textsOf } from './texts.ts';

const DECISION_ID = /(?<![\w-])d_[1-9]\d{0,5}(?![\w-])/g;
/** Maximum number of citations that are kept with a revision. */
const MAX_CITED = 200;

export const decisionIdsIn = (text: string): string[] => text.match(DECISION_ID) ?? [];

/**
 * The decisions that texts of the contract cite. The contract's list of decisions, and values and names of members
 * inside payloads and JSON Schemas, do not count as texts.
 */
export const citedDecisions = memoizeBy((contract: Contract): readonly CitedDecision[] => {
  const cited = new Map<string, string>();
  for (const { text, kind, place } of textsOf(contract)) {
    if (kind === 'data' || kind === 'name' || place?.within?.part === 'decisions') continue;
    for (const id of decisionIdsIn(text))
      if (!cited.has(id) && cited.size < MAX_CITED) cited.set(id, faultAt(place, '').pointer);
  }
  return [...cited].map(([id, pointer]) => ({ id, pointer }));
});
