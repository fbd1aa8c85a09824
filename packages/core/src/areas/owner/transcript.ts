import { z } from 'zod';
import { MessageCursor } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter } from '../session/cursors.ts';
import { MessagePage, pageSeqs, viewPage } from '../session/messages.ts';

/** Domain 3. The same pages as for the agents, with messages that only the owner sees. */
export const transcript = defineOperation({
  name: 'transcript',
  summary: 'Read the transcript, 50 messages a page.',
  access: { owner: true },
  input: z.strictObject({
    after: MessageCursor.optional().describe('Id of the last message you have.'),
  }),
  output: MessagePage,
  errors: ['INVALID_INPUT'],

  check: (state, { after }, { role }) => checkAfter(state, role, after),

  reads: (state, { after = 0 }) => pageSeqs(state, 'owner', after),

  reply: (state, { after = 0 }, { loaded }) => viewPage(state, 'owner', after, loaded),
});
