import { z } from 'zod';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../catalog.ts';
import { BuilderRole, MessageCursor } from '../fields.ts';
import { AttachmentFields } from './events.ts';

const { scenario_id, attempt, gate_id, document, ...file } = AttachmentFields;

/** An attachment below its attempt or its gate. Its content is read by its sha256. */
export const AttachmentView = namedObject('Attachment', { by: BuilderRole, message_id: MessageCursor, ...file });

const Attachment = z.strictObject({ ...AttachmentView.shape, scenario_id, attempt, gate_id, document });
export type Attachment = Readonly<z.output<typeof Attachment>>;

/** The attachments of the session, oldest first. Their number is limited. */
export const attachmentsSlice: Slice<readonly Attachment[]> = {
  empty: [],
  folds: {
    'attachment.added': (all, { actor, seq, data }) =>
      isBuilder(actor) ? [...all, { by: actor, message_id: seq, ...data }] : all,
  },
};
