import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { BuilderRole } from '../fields.ts';

export const electionEvents = defineEvents({
  'author.nominated': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ candidate: BuilderRole, reason: z.string() }),
  },
  'author.elected': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ contract_author: BuilderRole, technical_reviewer: BuilderRole }),
  },
});
