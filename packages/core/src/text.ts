/** Numbers, names, times, checksums and ids of records as people read them, and what is fixed for each kind of the owner's tasks. */
export { factsOf, insteadOf } from './areas/session/owner-waits/wait-kinds.ts';
export { ADDED_ROUNDS } from './kernel/limits.ts';
export {
  CHOSEN_ID,
  counted,
  type IdRecordType,
  listed,
  plural,
  recordTypeOf,
  shortHash,
  timeText,
} from './kernel/text/readable.ts';
