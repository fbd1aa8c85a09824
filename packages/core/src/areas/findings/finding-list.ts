import { z } from 'zod';
import { valuesOf } from '../../kernel/history.ts';
import { NoInput } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { FindingView, viewFinding } from './schemas.ts';

/** What list_findings and get_moderator_findings have in common: all but name and access. */
export const findingListParts = {
  summary: "List all findings, the reviewer's and the moderator's, with status and response, oldest first.",
  rest: 'GET findings',
  input: NoInput,
  output: z.strictObject({ findings: z.array(FindingView) }),
  errors: [],
  reply: ({ findings }: SessionState) => ({ findings: valuesOf(findings.all).map(viewFinding) }),
} as const;
