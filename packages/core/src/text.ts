/** Numbers, names, times and checksums as people read them. */
export { counted, plural } from './kernel/counted.ts';
export { CHOSEN_ID } from './kernel/text/chosen-id.ts';
export { listed } from './kernel/text/listed.ts';
export { shortHash } from './kernel/text/short-hash.ts';
export { timeText } from './kernel/text/time-text.ts';
