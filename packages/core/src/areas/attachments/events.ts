import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';

/** A file that a builder attached to an attempt or to a gate. */
export const AttachmentFields = {
  /** The attempt, or the gate. */
  scenario_id: z.string().optional(),
  attempt: z.int().optional(),
  gate_id: z.string().optional(),
  filename: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** SHA-256 of the stored document: the text itself, or the base64 form of other content. */
  document: z.string(),
};

export const attachmentEvents = defineEvents({
  'attachment.added': message(AttachmentFields),
});
