import { headed, type Words } from '../event-words.ts';
import type { readingEvents } from './events.ts';

/** Maximum number of sections that the words of `reading.recorded` name. Further sections are only counted. */
const NAMED_SECTIONS = 3;

export const readingWords: Words<typeof readingEvents> = {
  'reading.recorded': ({ revision_id, sections }, { say }) => {
    const names = sections.map(({ section }) => section.replaceAll('_', ' '));
    const more = names.length - NAMED_SECTIONS;
    const named = more > 1 ? [...names.slice(0, NAMED_SECTIONS), `${more} more`] : names;
    return headed(`${say('marks', 'mark')} ${revision_id} as read: ${named.join(', ')}`);
  },
};
