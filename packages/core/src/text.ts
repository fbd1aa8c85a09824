/** Numbers, names, times, checksums and ids of records as people read them. */
export { CHOSEN_ID, counted, listed, plural, shortHash, timeText } from './kernel/text/readable.ts';
export { type IdRecordType, recordTypeOf } from './kernel/text/record-ids.ts';
