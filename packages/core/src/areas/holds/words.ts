import { headed, type Words } from '../event-words.ts';
import type { holdEvents } from './events.ts';

export const holdWords: Words<typeof holdEvents> = {
  'hold.opened': ({ hold_id, finding_id, reason }, { say }) =>
    headed(`${say('puts', 'put')} hold ${hold_id} on ${finding_id}: approval and authorizations are stopped`, reason),
  'hold.released': ({ hold_id, finding_id, cause, reason }, { say }) =>
    cause === 'FINDING_CLOSED'
      ? { heading: '', outcome: `hold ${hold_id} is released, because ${finding_id} is closed` }
      : headed(`${say('releases', 'release')} hold ${hold_id} on ${finding_id}`, reason),
};
