import { z } from 'zod';
import { valuesOf } from '../../kernel/history.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { DecisionView, viewDecision } from './schemas.ts';

/** Spec 4.2, 4.3. */
export const listDecisions = defineOperation({
  name: 'list_decisions',
  summary: 'List all decisions with status, who accepted, and whether they are active.',
  rest: 'GET decisions',
  access: { builder: 'read_session_state', moderator: true },
  input: NoInput,
  output: z.strictObject({ decisions: z.array(DecisionView) }),
  errors: [],

  reply: ({ decisions }) => ({ decisions: valuesOf(decisions.all).map(viewDecision) }),
});
