import type { Words } from '../event-words.ts';
import type { attachmentEvents } from './events.ts';

export const attachmentWords: Words<typeof attachmentEvents> = {
  'attachment.added': ({ filename, media_type, bytes, sha256, scenario_id, attempt, gate_id }, { say }) => ({
    heading: `${say('attaches', 'attach')} a file to ${gate_id ? `gate ${gate_id}` : `${scenario_id}/${attempt}`}`,
    text: filename,
    parts: [
      { label: 'file', text: `${media_type}, ${bytes} bytes` },
      { label: 'SHA-256', text: sha256 },
    ],
  }),
};
