import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { shortHash } from '../../kernel/text/readable.ts';
import { commitParts, headed, labelled, type Part, type Words } from '../event-words.ts';
import type { verifyEvents } from './events.ts';

type Events = typeof verifyEvents;

export const verifyWords: Words<Events> = {
  'handshake.declared': (body, { say }) => ({
    heading: body.commit_changed
      ? `${say('declares', 'declare')} another commit, so earlier passes are stale`
      : `${say('declares', 'declare')} ${body.service}`,
    parts: handshakeParts(body),
  }),
  'attempt.started': (body, { ids, say }) =>
    headed(`${say('starts', 'start')} ${attemptIn(body)}`, ids.scenario(body.scenario_id)),
  'evidence.submitted': (body, { say }) => ({
    heading: `${say('gives', 'give')} evidence for ${attemptIn(body)}`,
    text: body.claim,
    parts: [
      { label: 'saw', text: body.summary },
      ...body.assertions.map(assertionPart),
      {
        label: 'run',
        text: `${body.request_id || 'a run'} on ${shortHash(body.run?.commit ?? body.commit)}, by ${body.kind}`,
      },
      ...(body.run ? runParts(body.run) : []),
    ],
  }),
  'gate.run': ({ gate_id, run }, { say }) => ({
    heading: `${say('runs', 'run')} gate ${gate_id}`,
    parts: runParts(run),
  }),
  'evidence.reported': (body, { nameOf }) => ({
    heading: `A workflow reports for ${nameOf(body.by)}: ${body.attempt === undefined ? `${body.scenario_id}, for its next attempt` : attemptIn({ ...body, attempt: body.attempt })}`,
    parts: runParts(body.run),
  }),
  'workflow.accepted': ({ role, repository, workflow, ref, issuer }, { nameOf, say }) => ({
    heading: `${say('accepts', 'accept')} the reports of a workflow as evidence of ${nameOf(role)}`,
    parts: [
      { label: 'workflow', text: `${workflow} in ${repository}, on ${ref}` },
      { label: 'issuer', text: issuer },
    ],
  }),
  'workflow.withdrawn': ({ role }, { nameOf, say }) =>
    headed(`${say('accepts', 'accept')} no more reports of a workflow for ${nameOf(role)}`),
  'verdict.given': ({ verdict, note, deviations = [], ...attempt }, { say }) => {
    const said = headed(`${say('judges', 'judge')} ${attemptIn(attempt)}: ${verdict}`, note);
    if (verdict !== 'PASS') return said;
    return {
      ...said,
      ...(deviations.length > 0 && { parts: labelled('deviates', deviations) }),
      outcome: `${attempt.scenario_id} has passed`,
    };
  },

  'pass.carried': (body, { nameOf, say }) => ({
    heading: `${say('carries', 'carry')} the pass of ${attemptIn(body)} over`,
    text: body.reason,
    parts: [
      ...body.changes.map(({ paths, since, declared_by }) => ({
        label: 'declared',
        text: `${paths} changed paths since ${shortHash(since)}, by ${nameOf(declared_by)}`,
      })),
      ...commitParts(body.commits, nameOf),
    ],
    outcome: `${body.scenario_id} counts as passed on these commits, without a rerun`,
  }),

  'defect.opened': (body, { nameOf, say }) => {
    const { defect_id, assigned_to, refusal, commits } = body;
    const opened = `${say('opens', 'open')} ${defect_id} on ${attemptIn(body)}, for ${nameOf(assigned_to)}`;
    return {
      heading: refusal ? `${say('refuses', 'refuse')} the ${refusal.stage} and ${opened}` : opened,
      ...(refusal && { text: refusal.reason }),
      parts: commitParts(commits, nameOf),
    };
  },
  'defect.reopened': (body, { nameOf, say }) => ({
    heading: `${say('opens', 'open')} ${body.defect_id} again: ${attemptIn(body)} failed`,
    parts: commitParts(body.commits, nameOf),
  }),
  'defect.fixed': ({ defect_id, commit, note }, { say }) =>
    headed(`${say('marks', 'mark')} ${defect_id} fixed on ${shortHash(commit)}`, note),
  'defect.closed': (body) => ({ heading: '', outcome: `${body.defect_id} is closed: ${attemptIn(body)} passed` }),
  'defect.waived': ({ defect_id, scenario_id, reason }, { say }) =>
    headed(`${say('waives', 'waive')} ${defect_id} of ${scenario_id}`, reason),
  'defect.reassigned': ({ defect_id, scenario_id, assigned_to, reason }, { nameOf, say }) =>
    headed(`${say('gives', 'give')} ${defect_id} of ${scenario_id} to ${nameOf(assigned_to)}`, reason),
};

type Run = NonNullable<BodyOf<Events['evidence.submitted']>['run']>;

/** Why a run does not count as recorded, in words. */
const SHORTFALL_WORDS: Readonly<Record<NonNullable<Run['not_recorded']>[number], string>> = {
  OTHER_COMMIT: 'its commit is not declared',
  DIRTY_TREE: 'files differed from its commit',
  NO_TEST_RUN: 'no test of its report ran',
  OTHER_COMMAND: 'the contract names another command',
};

/**
 * What the service says of a run: the command, how it ended, on which commit, and whether it counts as recorded. No agent
 * writes a word of it, so it stands beside what the agent claims.
 */
export function runParts({ workflow, ...run }: Run): Part[] {
  const { argv, exit_code, signal, report, commit, not_recorded = [], named = [] } = run;
  const counts = report ? `, ${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped` : '';
  const how = exit_code === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${exit_code}`;
  const shown = named.filter(({ status }) => status === 'passed').map(({ name }) => name);
  const unshown = named.filter(({ status }) => status !== 'passed').map(({ name, status }) => `${name} (${status})`);
  const short = not_recorded.map((reason) => SHORTFALL_WORDS[reason]);
  const parts: Part[] = [
    workflow
      ? {
          label: 'workflow',
          text: `run ${workflow.run_id} of ${workflow.workflow}: ${how}${counts}, on ${shortHash(commit)}`,
        }
      : { label: 'command', text: `${argv.join(' ')}: ${how}${counts}, on ${shortHash(commit)}` },
    ...labelled('report', [report && `${report.format}, SHA-256 ${report.sha256}`]),
    ...(short.length > 0
      ? [{ label: 'level', tone: 'bad' as const, text: `claimed: ${short.join(', ')}` }]
      : [{ label: 'level', text: workflow ? 'ci' : 'recorded' }]),
    ...labelled('shows', shown),
    ...unshown.map((text) => ({ label: 'NOT SHOWN', tone: 'bad' as const, text })),
  ];
  return parts.map((part) => ({ ...part, isLiteral: true }));
}

type Handshake = BodyOf<Events['handshake.declared']>;

function handshakeParts(body: Handshake): Part[] {
  const { service, version, environment, branch, changes = {}, skew_ms } = body;
  return [
    {
      label: 'runs',
      text: `${service} ${version} in ${environment}${branch ? `, from ${branch}` : ''}`,
    },
    { label: 'commit', text: body.commit },
    ...labelled('address', [body.address]),
    ...labelled('before', [body.previous_commit]),
    ...labelled('stale', [body.stale_scenarios?.join(', ')]),
    // For each commit with which the builder compared its commit: the paths that it declares as changed.
    ...Object.entries(changes).map(([since, paths]) => ({
      label: 'changed',
      text: `since ${shortHash(since)}: ${paths.join(', ') || 'no path'}`,
    })),
    {
      label: 'says',
      text: `${body.ready ? 'ready' : 'not ready'}, dependencies ${body.dependencies_healthy ? 'healthy' : 'not healthy'}`,
    },
    ...labelled('fixtures', [body.fixture_version]),
    ...labelled('serves', [interfacesIn(body)]),
    ...labelled('can', [body.capabilities?.join(', ')]),
    ...(skew_ms === undefined ? [] : [{ label: 'clock', text: clockText(skew_ms) }]),
  ];
}

/** The interfaces as one text: first those that are names only, then those with a version. */
function interfacesIn({ interfaces = [] }: Handshake): string {
  const names = interfaces.filter((item) => typeof item === 'string');
  const records = interfaces.filter((item) => typeof item !== 'string');
  return [...names, ...records.map(({ name, version = '' }) => `${name} ${version}`.trim())].join(', ');
}

type Assertion = BodyOf<Events['evidence.submitted']>['assertions'][number];

/** The part that shows an assertion. The expected value is shown only if the assertion failed. */
const assertionPart = ({ name, passed, expected, actual }: Assertion): Part =>
  passed
    ? { label: 'passes', tone: 'good', text: `${name}: ${valueText(actual)}` }
    : { label: 'FAILS', tone: 'bad', text: `${name}: ${valueText(actual)} instead of ${valueText(expected)}` };

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

interface Attempt {
  readonly scenario_id: string;
  readonly attempt: number;
}

const attemptIn = ({ scenario_id, attempt }: Attempt): string => `${scenario_id}/${attempt}`;

/** Milliseconds up to which the delay of a call explains a difference between two clocks. */
const DELAY_MS = 10_000;

/** How far an agent's clock differs from the service's clock, such as `about 42 s behind the service`. */
export function clockText(skewMs: number): string {
  if (Math.abs(skewMs) <= DELAY_MS) return 'agrees with the service';
  return `about ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service`;
}
