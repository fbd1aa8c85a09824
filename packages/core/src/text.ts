/** Numbers, times and checksums as people read them. */
export { counted, plural } from './kernel/counted.ts';
export { shortHash } from './kernel/text/short-hash.ts';
export { timeText } from './kernel/text/time-text.ts';
