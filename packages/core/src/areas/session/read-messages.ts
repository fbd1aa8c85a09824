import { z } from 'zod';
import { MessageCursor } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { checkAfter } from './cursors.ts';
import { MessagePage, pageSeqs, viewPage } from './messages.ts';

export const readMessages = defineOperation({
  name: 'read_messages',
  summary: 'Read the transcript, 50 messages a page.',
  rest: 'GET messages',
  access: { builder: 'read_messages', moderator: true },
  input: z.strictObject({
    after: MessageCursor.optional().describe('Id of the last message read.'),
  }),
  output: MessagePage,
  errors: ['INVALID_INPUT'],

  check: (state, { after }, { role }) => checkAfter(state, role, after),

  reads: (state, { after = 0 }, { role }) => pageSeqs(state, role, after),

  reply: (state, { after = 0 }, { caller, loaded }) => viewPage(state, caller.role, after, loaded),
});
