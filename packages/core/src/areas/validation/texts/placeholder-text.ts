import { faultAt } from '../nodes.ts';
import type { ContractRule } from '../rule.ts';
import { type PlacedText, textsOf } from '../texts.ts';
import { isPlaceholder } from './placeholders.ts';

export const placeholderText: ContractRule = {
  reads: 'contract',
  code: 'PLACEHOLDER_TEXT',
  severity: 'error',
  explanation: 'No text may be a placeholder: TODO, TBD, FIXME, lorem ipsum, <your text>.',
  hint: 'Replace the placeholder by the real text, or remove the member.',

  *check(contract) {
    for (const { text, kind, place } of textsOf(contract))
      if (isPlaceholder(text, kind) && !isOwners(place)) yield faultAt(place, 'This text is a placeholder.');
  },
};

/** The fixture_version is not checked, because the owner chose it and the author of the contract cannot change it. */
const isOwners = (place: PlacedText['place']): boolean => place?.part === 'fixture_version' && place.within === null;
