import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { BuilderRole } from '../fields.ts';

export const electionEvents = defineEvents({
  'author.nominated': message({ candidate: BuilderRole, reason: z.string() }),
  'author.elected': message({ contract_author: BuilderRole, technical_reviewer: BuilderRole }),
});
