import { plural } from '../counted.ts';
/** How much of the contract the owner has read: `9 of 12 sections read`. */
export const readingText = (of: number, read: number): string => `${read} of ${plural(of, 'section')} read`;
