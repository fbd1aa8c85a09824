import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isLaterRevision, requireAuthor, revisionOf } from '../contract/rules.ts';
import { FindingId, LongText, RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { RESPONSE_DECISIONS } from './events.ts';
import { awaitedFor, findingOf, mayRespond, openFinding, responseOf } from './rules.ts';
import { FindingResult, viewFindingChange } from './schemas.ts';

/**
 * Spec 3. A response does not close the finding. If a builder responds again, the new response replaces the earlier
 * response. If the moderator's finding names builders, each of them must respond.
 */
export const respondFinding = defineOperation({
  name: 'respond_finding',
  summary: 'Answer a finding that waits for your answer.',
  rest: 'POST findings/respond',
  access: { builder: 'submit_contract' },
  input: z.strictObject({
    finding_id: FindingId,
    decision: z.enum(RESPONSE_DECISIONS),
    response: LongText,
    revision_id: RevisionId.optional().describe('The later revision that fixes it.'),
  }),
  output: FindingResult,
  errors: ['NOT_CONTRACT_AUTHOR', 'UNKNOWN_RECORD', 'FINDING_CLOSED', 'INVALID_INPUT'],

  decide(state, { finding_id, decision, response, revision_id }, { role }) {
    const finding = findingOf(state.findings, finding_id);
    const { contract_author: author } = state.election;
    if (!mayRespond(finding, author, role)) requireAuthor(state, role);
    const { revision_id: about } = openFinding(state.findings, finding_id);
    const earlier = responseOf(finding, role);
    if (decision === 'REJECT' && revision_id !== undefined)
      refuseRevision('A rejected finding has no revision that fixes it: leave revision_id out.');
    const fixed_in = revision_id === undefined ? null : revisionOf(state, revision_id).revision_id;
    if (fixed_in !== null && about !== null && !isLaterRevision(fixed_in, about))
      refuseRevision(
        `The finding concerns ${about}: submit a later revision that fixes it and name that revision, or leave revision_id out.`,
      );
    const isSame = earlier?.decision === decision && earlier.response === response && earlier.fixed_in === fixed_in;
    if (isSame) return [];
    const awaiting = awaitedFor(finding, author).filter((builder) => builder !== role);
    return [{ kind: 'finding.responded', data: { finding_id, decision, response, fixed_in, awaiting } }];
  },

  reply: (state, { finding_id }) => ({ finding: viewFindingChange(state, finding_id) }),
});

const refuseRevision = (message: string): never =>
  fail('INVALID_INPUT', message, { issues: [{ path: 'revision_id', message }] });
