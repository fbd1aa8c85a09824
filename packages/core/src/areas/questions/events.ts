import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { BUILDERS } from '../../kernel/roles.ts';

export const ADDRESSEES = [...BUILDERS, 'owner'] as const;

export const questionEvents = defineEvents({
  'question.asked': message(
    {
      question_id: z.string(),
      to: z.enum(ADDRESSEES),
      text: z.string(),
      blocking: z.boolean(),
      in_turn: z.boolean(),
    },
    { message: 'standalone' },
  ),
  'question.answered': message(
    { question_id: z.string(), answer: z.string(), in_turn: z.boolean() },
    { message: 'standalone' },
  ),
});
