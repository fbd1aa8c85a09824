import { z } from 'zod';
import { valuesOf } from '../../kernel/history.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { FindingView, viewFinding } from './schemas.ts';

/** Spec 4.2. */
export const listFindings = defineOperation({
  name: 'list_findings',
  summary: 'List all findings with status and response, oldest first.',
  rest: 'GET findings',
  access: { builder: 'read_session_state' },
  input: NoInput,
  output: z.strictObject({ findings: z.array(FindingView) }),
  errors: [],

  reply: ({ findings }) => ({ findings: valuesOf(findings.all).map(viewFinding) }),
});
