import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At } from '../fields.ts';
import { readingOf } from './rules.ts';
import type { Section } from './sections.ts';
import type { Reading } from './state.ts';

/** A section of a revision, and when the owner read its current text. */
export const SectionReadView = z.strictObject({
  section: z.string().describe('Name of the top-level member, such as interfaces.'),
  read_at: At.nullable().describe(
    'When you read the present text of the section, in this or an earlier revision; null if you have not.',
  ),
});
documented.add(SectionReadView, { id: 'SectionRead' });

export const viewSectionRead = (reading: Reading, section: Section): z.output<typeof SectionReadView> => ({
  section: section.section,
  read_at: readingOf(reading, section)?.at ?? null,
});
