import { z } from 'zod';
import { refuseInput } from '../../kernel/operation/input.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, otherBuilder } from '../../kernel/roles.ts';
import { BuilderRole, EvidenceLevelName, NoInput, text } from '../fields.ts';
import { Forge, LinkFields } from '../links/events.ts';
import { LinksView, targetIn, viewLinks } from '../links/rules.ts';
import { targetOf } from '../links/state.ts';
import { pickOf } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { levelOfItem } from '../verify/events.ts';
import { ReportedRuns, referenceOf, reportDrafts } from '../verify/given-evidence.ts';
import { evaluateEvidence, scenarioOf } from '../verify/scenarios.ts';
import { viewEvaluation } from '../verify/schemas.ts';
import { EvaluationView, WorkflowView } from '../verify/state.ts';
import { BuilderInput, requireOpen, requirePhase, requireStatus } from './rules.ts';

/** Shows the links, and the commit statuses that Parley has posted. */
export const changeLinks = defineOperation({
  name: 'changeLinks',
  summary: 'Show the linked repositories, and the last commit status of each with what the forge answered.',
  access: { owner: true },
  input: NoInput,
  output: LinksView,

  reply: viewLinks,
});

const FORGE_NAMES = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea' } as const;

/** Links the commits of a builder with a repository, to which Parley then posts commit statuses. */
export const linkChange = defineOperation({
  name: 'linkChange',
  summary: "Link an agent's commits with a repository or pull request, to which Parley posts commit statuses.",
  access: { owner: true },
  input: z.strictObject({
    role: BuilderRole,
    forge: Forge.describe('gitea also stands for Forgejo.'),
    api: text(300)
      .optional()
      .describe(
        'Address of the API; by default that of github.com or gitlab.com. Of Gitea: that of the host, with /api/v1.',
      ),
    repository: text(300).describe('owner/name; of GitLab the path of the project or its number.'),
    number: LinkFields.number
      .unwrap()
      .min(1)
      .max(999_999_999)
      .optional()
      .describe('Number of the pull or merge request.'),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{8,500}$/, 'Must be 8 to 500 visible ASCII characters.')
      .optional()
      .describe('Token that may set commit statuses; never shown again. Left out: the present one stays.')
      .meta({ writeOnly: true }),
  }),
  output: LinksView,

  said({ input: { role, forge, repository }, answer: { links }, nameOf }) {
    const waits = links.find((link) => link.role === role)?.waits_for;
    const linked = `The commits of ${nameOf(role)} are linked with ${repository} on ${FORGE_NAMES[forge]}.`;
    return waits === undefined || waits === null ? linked : `${linked} No status is posted yet, for want of ${waits}.`;
  },

  decide({ links }, { token, number, ...given }) {
    const before = links[given.role];
    const link = { ...targetIn(given), ...(number === undefined ? {} : { number }) };
    const isSame = before && targetOf(before) === targetOf(link) && before.number === number;
    return isSame && token === undefined
      ? []
      : [{ kind: 'change.linked', data: { ...link, new_token: token !== undefined } }];
  },

  reply: viewLinks,
});

export const unlinkChange = defineOperation({
  name: 'unlinkChange',
  summary: 'Remove the link of an agent with a repository, and erase its token. Posted statuses stay.',
  access: { owner: true },
  worksAtLimit: true,
  input: BuilderInput,
  output: LinksView,

  said: ({ input: { role }, nameOf }) => `The commits of ${nameOf(role)} are linked with no repository any more.`,

  decide: ({ links }, { role }) => (links[role] ? [{ kind: 'change.unlinked', data: { role } }] : []),

  reply: viewLinks,
});

const ISSUERS = { github: 'https://token.actions.githubusercontent.com', gitlab: 'https://gitlab.com' } as const;

const viewWorkflow = pickOf(WorkflowView);
const WorkflowResult = namedObject('WorkflowResult', { workflow: WorkflowView.nullable() });

/** The workflows that the owner has bound, in the order of the builders. */
export const viewWorkflows = ({ verify: { workflows } }: SessionState): z.output<typeof WorkflowView>[] =>
  BUILDERS.flatMap((role) => workflows[role] ?? []).map(viewWorkflow);

const matching = (what: string, pattern: RegExp) => z.string().max(300).regex(pattern, `Must be ${what}.`);

/** Lets the runs of one workflow count as evidence of an agent, at level ci. */
export const bindWorkflow = defineOperation({
  name: 'bindWorkflow',
  summary: 'Accept the test reports of a workflow of a repository as evidence of an agent, of level ci.',
  access: { owner: 'approver' },
  input: z.strictObject({
    role: BuilderRole,
    forge: z.enum(['github', 'gitlab']).describe('Whose form of tokens the issuer uses.'),
    issuer: matching('an address such as https://gitlab.example.com', /^https?:\/\/[\w.:/-]*\w$/)
      .optional()
      .describe('Issuer of its tokens; default: that of github.com or gitlab.com.'),
    repository: matching('a repository such as acme/shop', /^[\w.-]+(?:\/[\w.-]+)+$/).describe(
      'owner/name, or the path of the project.',
    ),
    workflow: matching(
      'the path of a file, or repository/path@ref of one in another repository',
      /^[\w.-]+(?:\/[\w. -]+)*(?:@refs\/[\w./-]+)?$/,
    ).describe('Such as .github/workflows/parley.yml.'),
    ref: matching('a whole ref such as refs/heads/main', /^refs\/(?:heads|tags)\/[\w./@#+-]+$/).describe(
      'Whole, such as refs/heads/main.',
    ),
  }),
  output: WorkflowResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ input: { role, repository, workflow, ref }, nameOf }) =>
    `Reports of ${workflow} in ${repository} on ${ref} count as evidence of ${nameOf(role)}, of level ci.`,

  decide(state, { issuer: given, ...input }) {
    requireOpen(state, 'bindWorkflow');
    const bound = { ...input, issuer: given ?? ISSUERS[input.forge] };
    const other = state.verify.workflows[otherBuilder(input.role)];
    const placeOf = ({ issuer, repository, ref, workflow }: Omit<typeof bound, 'role' | 'forge'>): string =>
      [issuer, repository, ref, referenceOf({ repository, workflow, ref })].join('\n');
    if (other && placeOf(other) === placeOf(bound))
      refuseInput([
        { path: 'workflow', message: `Is bound for ${other.role} already: use another file for each agent.` },
      ]);
    return [{ kind: 'workflow.accepted', data: bound }];
  },

  reply: ({ verify }, { role }) => ({ workflow: verify.workflows[role] ? viewWorkflow(verify.workflows[role]) : null }),
});

export const unbindWorkflow = defineOperation({
  name: 'unbindWorkflow',
  summary: 'Accept no more reports of the workflow of an agent; evidence that it has given stays.',
  access: { owner: 'approver' },
  input: BuilderInput,
  output: WorkflowResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ input: { role }, nameOf }) => `No workflow reports for ${nameOf(role)} any more.`,

  decide(state, { role }) {
    requireOpen(state, 'unbindWorkflow');
    return state.verify.workflows[role] ? [{ kind: 'workflow.withdrawn', data: { role } }] : [];
  },

  reply: () => ({ workflow: null }),
});

/** Stores the report of a workflow. No route of the owner's operations leads here: its caller has verified the token. */
export const reportRuns = defineOperation({
  name: 'reportRuns',
  summary: 'Store the report of a bound workflow.',
  access: { owner: true },
  input: ReportedRuns,
  output: z.strictObject({
    scenarios: z.array(
      z.strictObject({
        scenario_id: text(60),
        attempt: z.int().nullable(),
        level: EvidenceLevelName,
        evaluation: EvaluationView.nullable(),
      }),
    ),
  }),
  errors: ['UNAUTHORIZED', 'UNKNOWN_RECORD', 'INVALID_TRANSITION', 'HANDSHAKE_INCOMPLETE', 'LIMIT_EXCEEDED'],

  decide(state, input) {
    requireReporting(state);
    return reportDrafts(state, input);
  },

  reply: (state, { runs }) => ({
    scenarios: runs.map(({ scenario_id }) => {
      const { open, test } = scenarioOf(state, scenario_id);
      return {
        scenario_id,
        attempt: open?.attempt ?? null,
        level: levelOfItem({ run: { ci: true } }),
        evaluation: open ? viewEvaluation(evaluateEvidence(open.evidence, test.evidence_policy)) : null,
      };
    }),
  }),
});

/** Refuses a report unless attempts can be made. */
export function requireReporting(state: SessionState): void {
  requireStatus(state, 'A report of a workflow', 'ACTIVE', 'PAUSED');
  requirePhase(state, 'A report of a workflow', 'VERIFY', 'RELEASE');
}
