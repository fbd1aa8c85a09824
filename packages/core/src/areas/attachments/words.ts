import { headed, type Words } from '../event-words.ts';
import type { attachmentEvents } from './events.ts';

export const attachmentWords: Words<typeof attachmentEvents> = {
  'attachment.added': ({ filename, sha256, scenario_id, attempt, gate_id }, { say }) =>
    headed(
      `${say('attaches', 'attach')} ${filename} to ${gate_id ?? `${scenario_id}/${attempt}`}`,
      `SHA-256 ${sha256}`,
    ),
};
