import { z } from 'zod';
import { type BoundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { type Issue, IssueView } from './issue.ts';

/** The result of a validation. Its lists together contain at most 100 issues; the counts include all issues. */
export const ValidationFields = {
  validator_version: z.string(),
  errors: z.array(IssueView),
  warnings: z.array(IssueView),
  error_count: z.int(),
  warning_count: z.int(),
  ...LEFT_OUT,
};

export const viewIssue = (issue: Issue): z.output<typeof IssueView> => ({ ...issue });

export const listIssues = (lists: BoundedLists, issues: readonly Issue[]) =>
  lists.list({ records: issues, view: viewIssue, how: () => 'Correct the listed issues, then validate again.' });

export const errorsIn = (issues: readonly Issue[]): Issue[] => issues.filter(({ severity }) => severity === 'error');
export const warningsIn = (issues: readonly Issue[]): Issue[] =>
  issues.filter(({ severity }) => severity === 'warning');
