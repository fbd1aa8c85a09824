import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { revisionOf } from '../../contract/rules.ts';
import { readSection } from '../../document/read-with.ts';
import { RevisionId, text } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { ALL_SECTIONS, namedSections, newlyRead } from '../../reading/rules.ts';
import { SectionReadView, viewSectionRead } from '../../reading/schemas.ts';
import { readSections } from '../../reading/sections.ts';

/**
 * Stores which sections of a revision the owner has read. If all given sections are already stored as read, appends
 * nothing.
 */
export const markRead = defineOperation({
  name: 'markRead',
  summary: 'Record which sections of a contract revision you have read; `changes` and `brief` then show what is new.',
  access: { owner: true },
  input: z.strictObject({
    revision_id: RevisionId,
    sections: z
      .array(text(200))
      .min(1)
      .max(100)
      .describe(
        `Names of top-level members of the contract, such as interfaces; requirements for those of the session; summary for title, scope and versions too; risks for safety_conditions too; ${ALL_SECTIONS} for every section.`,
      ),
  }),
  output: z.strictObject({ revision_id: RevisionId, sections: z.array(SectionReadView) }),
  errors: ['UNKNOWN_RECORD', 'INVALID_INPUT'],

  said({ answer: { revision_id, sections } }) {
    const unread = sections.filter(({ read_at }) => read_at === null).map(({ section }) => readSection(section));
    return unread.length > 0
      ? `Recorded. Sections of ${revision_id} that you have not marked as read: ${[...new Set(unread)].join(', ')}.`
      : `Recorded. You have marked every section of ${revision_id} as read.`;
  },

  documents({ contract }, { revision_id }) {
    const found = lookUp(contract.revisions, revision_id);
    return found ? [found.content_hash] : [];
  },

  decide(state, { revision_id, sections: names }, _caller, { document }) {
    const known = readSections(state, document(revisionOf(state, revision_id).content_hash));
    const sections = newlyRead(state.reading, revision_id, namedSections(known, names));
    if (sections.length === 0) return [];
    const data = { revision_id, sections: sections.map((section) => ({ ...section })), reader: state.ownerId };
    return [{ kind: 'reading.recorded', data }];
  },

  reply(state, { revision_id }, { document }) {
    const sections = readSections(state, document(revisionOf(state, revision_id).content_hash));
    return { revision_id, sections: sections.map((section) => viewSectionRead(state.reading, section)) };
  },
});
