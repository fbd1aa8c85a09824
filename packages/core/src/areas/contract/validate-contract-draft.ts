import { z } from 'zod';
import { boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { canonicalHash } from '../../kernel/text/canonical.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { citedDecisions } from '../validation/cited-decisions.ts';
import { decisionFacts } from '../validation/facts.ts';
import { MAX_ISSUES } from '../validation/issue.ts';
import { errorsIn, listIssues, ValidationFields, warningsIn } from '../validation/schemas.ts';
import { checkDecisions, VALIDATOR_VERSION } from '../validation/validate.ts';
import { ContractInput } from './contract-input.ts';
import { checkOf, precomputeCheck, repeatedIn } from './submission.ts';

/** Spec 4.2. Any builder can validate a draft in any phase. */
export const validateContractDraft = defineOperation({
  name: 'validate_contract_draft',
  summary: 'Validate a draft; stores nothing.',
  rest: 'POST contract/validate',
  access: { builder: 'get_contract_schema' },
  input: z.strictObject({ contract: ContractInput }),
  output: z.strictObject({
    valid: z.boolean().describe('True when there is no error; warnings do not count.'),
    content_hash: z.string().describe('The content_hash that a revision with this content would have.'),
    ...ValidationFields,
  }),
  errors: [],

  precompute: (state, { contract }) => precomputeCheck(state, contract),

  reply(state, { contract: value }) {
    const { contract, issues, errorCount, warningCount } = checkOf(state, value);
    const unsettled = contract
      ? checkDecisions(contract.decisions, decisionFacts(state), citedDecisions(contract))
      : [];
    const repeated = repeatedIn(state, value);
    const errors = [...errorsIn(issues), ...errorsIn(unsettled)].slice(0, MAX_ISSUES);
    const warnings = [...warningsIn(issues), ...warningsIn(unsettled), ...repeated].slice(
      0,
      MAX_ISSUES - errors.length,
    );
    const lists = boundedLists(LIST_COST);
    const shown = { errors: listIssues(lists, errors), warnings: listIssues(lists, warnings) };
    return {
      valid: errors.length === 0,
      content_hash: canonicalHash(value),
      validator_version: VALIDATOR_VERSION,
      errors: shown.errors(),
      warnings: shown.warnings(),
      error_count: errorCount + errorsIn(unsettled).length,
      warning_count: warningCount + warningsIn(unsettled).length + repeated.length,
      ...lists.leftOut(),
    };
  },
});
