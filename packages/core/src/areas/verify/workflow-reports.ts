import { z } from 'zod';
import { plural } from '../../kernel/counted.ts';
import { fail } from '../../kernel/errors.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import { sha256Hex } from '../../kernel/text/sha256.ts';
import type { SessionDraft } from '../catalog.ts';
import { EVIDENCE_KINDS } from '../document/contract.ts';
import { At, text } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { namedTests, ReportInput, WHOLE_COMMIT } from './run.ts';
import { type Scenario, scenarioOf } from './scenarios.ts';
import { shortCommit, type Workflow } from './state.ts';

/**
 * Reports of workflows: runs of level `ci`. A report has a token of the issuer in place of a token of Parley. Whoever calls
 * this has verified the signature, the audience and the times of the token; here its claims are compared with the workflow that the
 * owner has bound and with the declared commit.
 */

/** What a verified token says, in the same form for each forge. */
export const TokenClaims = z.strictObject({
  issuer: text(300),
  repository: text(300),
  /** The whole reference of the workflow: repository, path and ref, such as `acme/shop/.github/workflows/ci.yml@refs/heads/main`. */
  workflow: text(1_000),
  ref: text(300),
  commit: z.string().regex(WHOLE_COMMIT),
  run_id: text(100),
  token_id: text(300),
  expires_at: At,
});
export type TokenClaims = z.output<typeof TokenClaims>;

/** Maximum number of scenarios that one report names. */
const MAX_SCENARIOS = 20;
/** Maximum number of events with reports of a bound workflow. Binding it again allows as many again. */
const MAX_REPORTS = 500;

export const ReportedRuns = z.strictObject({
  claims: TokenClaims,
  kind: z.enum(EVIDENCE_KINDS),
  request_id: z.string().max(200),
  exit_code: z.int(),
  runs: z
    .array(z.strictObject({ scenario_id: text(60), report: ReportInput }))
    .min(1)
    .max(MAX_SCENARIOS),
});
type ReportedRuns = z.output<typeof ReportedRuns>;

/** The whole reference that tokens of a bound workflow name. */
export const referenceOf = ({
  repository,
  workflow,
  ref,
}: Pick<Workflow, 'repository' | 'workflow' | 'ref'>): string =>
  workflow.includes('@') ? workflow : `${repository}/${workflow}@${ref}`;

const tokenHash = ({ issuer, token_id }: TokenClaims): string => sha256Hex(`${issuer}\n${token_id}`);

/**
 * The builder whose workflow sends a report.
 *
 * @throws ParleyError UNAUTHORIZED if no such workflow is bound, or the token was used before; HANDSHAKE_INCOMPLETE if the
 * builder has not declared the commit of the token
 */
export function reporterOf({ verify }: SessionState, claims: TokenClaims): Builder {
  const { issuer, repository, workflow, ref, commit } = claims;
  const role = BUILDERS.find((one) => {
    const bound = verify.workflows[one];
    if (bound?.issuer !== issuer || bound.repository !== repository || bound.ref !== ref) return false;
    return referenceOf(bound) === workflow;
  });
  if (!role)
    return fail(
      'UNAUTHORIZED',
      `This session accepts no reports of the repository ${quotedName(repository, 300)}, workflow ${quotedName(workflow, 1_000)}, ref ${quotedName(ref, 300)}.`,
      { hint: 'Ask the owner to bind the workflow with bindWorkflow, by exactly these values.' },
    );
  const hash = tokenHash(claims);
  if (verify.tokens.some((used) => used.hash === hash))
    fail('UNAUTHORIZED', 'This token was used before: a token counts for one report.', {
      hint: 'Request a new token for each report.',
    });
  const declared = verify.handshakes[role]?.commit;
  if (declared !== commit)
    fail(
      'HANDSHAKE_INCOMPLETE',
      `The token is of commit ${commit}, and ${role} has ${declared === undefined ? 'declared none yet' : `declared ${declared}`}.`,
      {
        missing: [role],
        hint: `${role} declares the whole id of the commit with verify_handshake; then run the workflow again.`,
      },
    );
  return role;
}

/** The tests that the contract names for a builder, by the scenarios of a report. */
export const namesOf = (state: SessionState, role: Builder, scenarioIds: readonly string[]) =>
  scenarioIds.map((id) => ({
    scenario_id: id,
    names: namesIn(scenarioOf(state, id).test, role),
  }));

const namesIn = ({ evidence_policy }: Scenario['test'], role: Builder): readonly string[] =>
  evidence_policy?.per_agent_tests?.[role] ?? [];

/** The events that store a report: one for each scenario. */
export function reportDrafts(
  state: SessionState,
  { claims, kind, exit_code, request_id, runs }: ReportedRuns,
): SessionDraft[] {
  const role = reporterOf(state, claims);
  const { reports = 0 } = state.verify.workflows[role] ?? {};
  if (reports + runs.length > MAX_REPORTS)
    fail('LIMIT_EXCEEDED', `The workflow of ${role} has given ${MAX_REPORTS} reports, which is the limit.`, {
      limit: MAX_REPORTS,
      hint: 'The owner can bind the workflow again, which allows as many again.',
    });
  const { issuer, repository, workflow, ref, run_id, commit, expires_at } = claims;
  return runs.map(({ scenario_id, report }) => {
    const { test, open } = scenarioOf(state, scenario_id);
    if (request_id.trim() === '' && test.evidence_policy?.correlated !== false)
      refuseInput([
        {
          path: 'request_id',
          message: `Must not be empty: ${scenario_id} needs evidence of both builders with the same request_id. A contract that says correlated: false needs none.`,
        },
      ]);
    if (report.passed + report.failed === 0)
      refuseInput([{ path: 'report', message: 'Must have a test that passed or failed.' }]);
    const named = namedTests(namesIn(test, role), { report });
    const counts = `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`;
    return {
      kind: 'evidence.reported',
      actor: 'system',
      data: {
        scenario_id,
        ...(open && { attempt: open.attempt }),
        by: role,
        kind,
        claim: `Run ${run_id} of ${workflow} on ${shortCommit(commit)}: exit code ${exit_code}; ${counts}.`,
        summary: `Sent by the workflow with a token of ${issuer}. Report: ${report.format}, ${plural(report.size, 'byte')}, SHA-256 ${report.sha256}.`,
        request_id,
        assertions: [{ name: 'exit code', expected: 0, actual: exit_code, passed: exit_code === 0 }],
        commit,
        run: {
          argv: [],
          exit_code,
          commit,
          report,
          on: role,
          workflow: { issuer, repository, workflow, ref, run_id },
          ...(named.length > 0 && { named }),
        },
        token: { hash: tokenHash(claims), expires_at },
      },
    };
  });
}

/** How a builder gets a run of its workflow on record, in sentences. */
export function workflowNote({ verify }: SessionState, builder: Builder): string {
  const bound = verify.workflows[builder];
  if (!bound)
    return ` The contract demands a run of a workflow, and the owner has bound no workflow of ${builder}: wait for the owner to call bindWorkflow.`;
  const commit = verify.handshakes[builder]?.commit;
  return ` The contract demands a run of a workflow: push ${commit ? `the declared commit ${commit}` : 'the commit that you declare'} to ${quotedName(bound.ref, 300)} of ${quotedName(bound.repository, 300)}, and let ${quotedName(bound.workflow, 1_000)} run; it sends its report itself.`;
}
