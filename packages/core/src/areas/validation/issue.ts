import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/**
 * A fault that a rule found in a contract. While a revision has an issue with severity error, it cannot be certified.
 */
export const IssueView = z.strictObject({
  code: z.string().describe('Stable code; get_contract_schema explains it.'),
  severity: z.enum(['error', 'warning']),
  pointer: z.string().describe('JSON Pointer; empty for the whole contract.'),
  message: z.string(),
  hint: z.string().describe('How the author corrects the fault.'),
});
documented.add(IssueView, { id: 'Issue' });
export type Issue = Readonly<z.output<typeof IssueView>>;

/** Maximum number of issues in an answer. The counts include all issues. */
export const MAX_ISSUES = 100;
