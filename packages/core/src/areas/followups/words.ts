import { headed, type Words } from '../event-words.ts';
import type { followupEvents } from './events.ts';

export const followupWords: Words<typeof followupEvents> = {
  'followup.noted': ({ followup_id, side, kind, text }, { nameOf, say }) =>
    headed(`${say('notes', 'note')} ${followup_id} for later (${kind}, of ${nameOf(side)})`, text),
};
