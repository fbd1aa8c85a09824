import type { Issue } from './issue.ts';
import type { RuleFacts } from './rule.ts';

export const UNCHANGED_CONTENT: RuleFacts = {
  code: 'UNCHANGED_CONTENT',
  severity: 'warning',
  explanation: 'The content of a revision must differ from its parent.',
  hint: 'Submit a revision only if something changes: both builders must review each revision again.',
};

export const unchangedFrom = (parentId: string): Issue => ({
  code: UNCHANGED_CONTENT.code,
  severity: UNCHANGED_CONTENT.severity,
  pointer: '',
  message: `The content is the same as that of ${parentId}.`,
  hint: UNCHANGED_CONTENT.hint,
});
