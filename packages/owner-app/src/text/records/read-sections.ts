import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';

/** The sections as which the owner reads these members, each once. */
export const readSections = (members: readonly string[]): string[] => [...new Set(members.map(readSection))];

/** How much of the contract the owner has read: `9 of 12 sections read`. */
export const readingText = (of: number, read: number): string => `${read} of ${plural(of, 'section')} read`;
