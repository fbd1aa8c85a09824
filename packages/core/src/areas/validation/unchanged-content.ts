import type { Issue } from './issue.ts';
import type { RuleFacts } from './rule.ts';

/** The only rule that compares a revision with its parent. */
export const UNCHANGED_CONTENT: RuleFacts = {
  code: 'UNCHANGED_CONTENT',
  severity: 'warning',
  explanation: 'The content of a revision differs from that of its parent. Every revision needs new reviews.',
  hint: 'Both builders must review this revision again although nothing changed; submit a revision only for a change.',
};

export const unchangedFrom = (parentId: string): Issue => ({
  code: UNCHANGED_CONTENT.code,
  severity: UNCHANGED_CONTENT.severity,
  pointer: '',
  message: `The content is the same as that of ${parentId}.`,
  hint: UNCHANGED_CONTENT.hint,
});
