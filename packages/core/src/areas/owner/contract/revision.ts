import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { boundedLists, LEFT_OUT } from '../../../kernel/operation/bounded-lists.ts';
import { RevisionFields } from '../../contract/record.ts';
import { revisionOf } from '../../contract/rules.ts';
import { viewRevision } from '../../contract/schemas.ts';
import { RevisionId } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { contractTexts, PIECE_FIELDS, PieceInput, WHOLE_COST } from '../../plan/contract-texts.ts';
import { decidedIn } from '../../plan/plan.ts';
import { markdownOf } from '../../rendering/contract/revision-markdown.ts';

/** Reads any revision in full. The operation `plan` reads the latest revision with its current validation. */
export const revision = defineOperation({
  name: 'revision',
  summary: 'Read one contract revision: hash, contract and rendered Markdown; with part, one of its texts in pieces.',
  access: { owner: true },
  input: z.strictObject({ revision_id: RevisionId, ...PieceInput.shape }),
  output: z.strictObject({
    ...RevisionFields,
    ...PIECE_FIELDS,
    ...LEFT_OUT,
  }),
  errors: ['UNKNOWN_RECORD'],

  documents({ contract }, { revision_id }) {
    const found = lookUp(contract.revisions, revision_id);
    return found ? [found.content_hash] : [];
  },

  *precompute(state, { revision_id }, _caller, document) {
    const found = lookUp(state.contract.revisions, revision_id);
    if (found) yield markdownOf(found.content_hash, document(found.content_hash), decidedIn(state, revision_id));
  },

  reply(state, { revision_id, ...input }, { document }) {
    const rest = viewRevision(revisionOf(state, revision_id));
    const lists = boundedLists(0);
    const hash = rest.content_hash;
    const call = `Call revision with revision_id: "${revision_id}",`;
    const decided = decidedIn(state, revision_id);
    const texts = contractTexts(lists, { hash, document, decided, input, rest, call, maxCost: WHOLE_COST.owner });
    return { ...rest, ...texts, ...lists.leftOut() };
  },
});
