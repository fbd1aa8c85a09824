/** Numbers, names, times and checksums as people read them. */
export { CHOSEN_ID, counted, listed, plural, shortHash, timeText } from './kernel/text/readable.ts';
