import { headed, type Words } from '../../areas/event-words.ts';
import type { erasureEvents } from './erasures.ts';

export const erasureWords: Words<typeof erasureEvents> = {
  'session.erased': ({ title, session_id, exported_to, checksum }, { say }) =>
    headed(
      `${say('erases', 'erase')} ${title} (${session_id})`,
      exported_to && `Exported to ${exported_to}, SHA-256 ${checksum}.`,
    ),
  'session.not_erased': ({ title, session_id }, { say }) =>
    headed(`${say('does', 'do')} not erase ${title} (${session_id})`, 'The session had a new event after its export.'),
};
