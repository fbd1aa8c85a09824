import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { RequestId } from '../../kernel/operation/arguments.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { documented, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { canonicalHash, sha256Hex } from '../../kernel/text/hash.ts';
import { plural } from '../../kernel/text/readable.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import type { SessionDraft } from '../catalog.ts';
import { EVIDENCE_KINDS } from '../document/contract.ts';
import { At, LongText, text } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { hasFailed, namedTests, ReportInput, RunInput, runState, storedRun, WHOLE_COMMIT } from './events.ts';
import { type Scenario, scenarioOf } from './scenarios.ts';
import { type Attempt, type Evidence, isDeclaredBy, NOT_STORED, shortCommit, type Workflow } from './state.ts';

const AssertionInput = z.strictObject({
  name: text(200),
  expected: z.unknown(),
  actual: z.unknown(),
  passed: z.boolean(),
});

const RequiredRunId = text(200).describe('Correlation id in the tested system, same on both sides.');
/**
 * The published schema requires the member, as the specification does. The service also takes evidence without it, if the test
 * needs no correlation. It is then empty.
 */
const RunId = z.preprocess((sent) => sent ?? '', z.string().max(200)).meta(publishedSchema(RequiredRunId));

export const GivenItem = {
  kind: z.enum(EVIDENCE_KINDS),
  claim: text(1_000).describe('What it shows.'),
  summary: LongText.describe('What you saw.'),
  request_id: RunId,
  assertions: z.array(AssertionInput).max(100).optional(),
  evidence_key: RequestId.optional().describe('Idempotency key.'),
  run: z
    .record(z.string(), z.unknown())
    .pipe(RunInput)
    .optional()
    .describe('Left to parley verify run, which runs a command and sends it.'),
};
type Given = z.output<z.ZodObject<typeof GivenItem>>;

/**
 * Items of evidence in the input of a call. The published schema does not repeat their members, because the schema of
 * `verify_submit_evidence` lists them.
 */
export const GivenItems = z
  .array(z.record(z.string(), z.unknown()).pipe(z.strictObject(GivenItem)))
  .max(20)
  .describe('Items as in verify_submit_evidence.')
  .register(documented, { id: 'GivenEvidence' });

/** The attempt for which a builder submits evidence. `has` is the evidence that the attempt already has. */
interface Target {
  readonly state: SessionState;
  readonly builder: Builder;
  readonly scenario_id: string;
  readonly attempt: number;
  readonly has: readonly Evidence[];
  readonly limits: Limits;
  /** Path of the member of the input that contains the items. Absent if the input itself is the item. */
  readonly member?: string;
}

type EvidenceDraft = Extract<SessionDraft, { kind: 'evidence.submitted' }>;

/**
 * The events that store the items. If the builder has already used the key of an item in this attempt, the item is not
 * stored again.
 * @throws ParleyError INVALID_INPUT if an item has no request_id and the test needs one; IDEMPOTENCY_CONFLICT if the key
 * was used with other content; LIMIT_EXCEEDED if the attempt would have too many items of this builder
 */
export function evidenceDrafts(target: Target, items: readonly Given[]): EvidenceDraft[] {
  const { builder, scenario_id, attempt, has, limits } = target;
  const own = has.filter(({ by }) => by === builder);
  const prints = new Map(own.flatMap(({ idempotency: used }) => (used ? [[used.key, used.fingerprint]] : [])));
  refuseUnnamed(target, items);
  const drafts = items.flatMap(({ evidence_key: key, assertions = [], run, ...item }): EvidenceDraft[] => {
    const stored = assertions.map(({ expected = null, actual = null, ...rest }) => ({ ...rest, expected, actual }));
    const content = { ...item, assertions: stored, ...(run && { run }) };
    const data = {
      scenario_id,
      attempt,
      ...item,
      assertions: stored,
      commit: commitOf(target),
      ...(run && { run: placedRun(target, run) }),
    };
    if (key === undefined) return [{ kind: 'evidence.submitted', data }];
    const fingerprint = canonicalHash(content);
    const before = prints.get(key);
    if (before !== undefined && before !== fingerprint)
      fail('IDEMPOTENCY_CONFLICT', `You used this evidence_key in ${scenario_id}/${attempt} for other content.`, {
        evidence_key: key,
      });
    prints.set(key, fingerprint);
    const idempotency = { key, fingerprint };
    return before === undefined ? [{ kind: 'evidence.submitted', data: { ...data, idempotency } }] : [];
  });
  if (drafts.length > 0 && own.length + drafts.length > limits.evidencePerAttempt)
    fail(
      'LIMIT_EXCEEDED',
      `Each agent can give at most ${limits.evidencePerAttempt} items of evidence for an attempt.`,
      {
        limit: limits.evidencePerAttempt,
        hint: 'Give no further evidence for this attempt. The next attempt takes evidence again.',
      },
    );
  return drafts;
}

/** Refuses items without a request_id, unless the evidence of the two builders need not be correlated. */
function refuseUnnamed({ state, scenario_id, member }: Target, items: readonly Given[]): void {
  if (scenarioOf(state, scenario_id).test.evidence_policy?.correlated === false) return;
  const message = `Must not be empty: ${scenario_id} needs evidence of both builders with the same request_id, the correlation id that both saw in the tested system.`;
  const issues = items.flatMap((item, index) =>
    /\S/.test(item.request_id) ? [] : [{ path: `${member ? `${member}[${index}].` : ''}request_id`, message }],
  );
  if (issues.length > 0) refuseInput(issues);
}

/**
 * A run as events store it. A builder runs on its own commit; the builder that does not execute the scenario can also run on the
 * commit of the executor, to compare the two runs.
 */
function placedRun({ state, builder, scenario_id }: Target, run: z.output<typeof RunInput>) {
  const { executor, evidence_policy } = scenarioOf(state, scenario_id).test;
  const on = [builder, executor].find((one) => isDeclaredBy(state.verify, one, run.commit));
  return storedRun(run, on, { names: evidence_policy?.per_agent_tests?.[builder] ?? [] });
}

const commitOf = ({ state: { verify }, builder }: Target): string => verify.handshakes[builder]?.commit ?? '';

/**
 * The attempt with this number, if the caller has already sent evidence with this `evidence_key` in it. The attempt may
 * be closed, because a repeated call gets the same answer after the attempt was closed.
 */
export const attemptWithKey = (
  { record }: Scenario,
  attempt: number,
  role: string,
  key: string | undefined,
): Attempt | undefined =>
  record.attempts.find(
    (one) =>
      one.attempt === attempt &&
      one.evidence.some(({ by, idempotency }) => by === role && idempotency !== undefined && idempotency.key === key),
  );

/** A draft of evidence in the form of stored evidence, so that it can be evaluated before it is stored. */
export const refOf = (builder: Builder, { data }: EvidenceDraft): Evidence => ({
  message_id: NOT_STORED,
  by: builder,
  kind: data.kind,
  request_id: data.request_id,
  failed: data.assertions.some(({ passed }) => !passed) || (data.run !== undefined && hasFailed(data.run)),
  ...(data.run && { run: runState(data.run) }),
});

/** The form of the name of an environment. ASCII alone, so that no letter only looks like one of a word for production. */
export const ENVIRONMENT = /^[A-Za-z0-9][ -~]{0,199}$/;

const SAYS_PRODUCTION = /(?:prod|production|prd|live)$|^production|^(?:prods|productive)$/;
/** Matches a word for production that is joined with a region or a kind of environment, such as prodeu. */
const SAYS_PRODUCTION_OF =
  /^(?:prod|prd|live)(?:eu|us|uk|de|au|asia|apac|emea|latam|na|env|site|system|server|cluster|db|app|api)$/;
const SAYS_SOMETHING_ELSE = /(?:pre|non)(?:prod|production|prd|live)$|reproduction$|^(?:a|o|re|out)live$/;
const NEGATIONS = new Set(['pre', 'non', 'not', 'no']);

/**
 * Whether the name of an environment means production. The name is split into words at characters other than letters
 * and before capitals. A word for production is enough, unless a word such as `pre` or `non` stands before it. So
 * staging-live-traffic-replay means production too, because replayed real traffic affects real users.
 */
export function isProduction(environment: string): boolean {
  const words = environment
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  return words.some((word, index) => {
    const isNamed = SAYS_PRODUCTION.test(word) || SAYS_PRODUCTION_OF.test(word);
    return isNamed && !SAYS_SOMETHING_ELSE.test(word) && !NEGATIONS.has(words[index - 1] ?? '');
  });
}

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
