import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { BuilderRole } from '../fields.ts';

export const electionEvents = defineEvents({
  'author.nominated': {
    seenBy: 'everyone',
    data: z.strictObject({ candidate: BuilderRole, reason: z.string() }),
  },
  'author.elected': {
    seenBy: 'everyone',
    data: z.strictObject({ contract_author: BuilderRole, technical_reviewer: BuilderRole }),
  },
});
