import { shortHash } from '../text/visible.ts';
import { clockText } from './clock-text.ts';
import { type Context, type Describe, type EventText, headed, type Part } from './event-text.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from './message.ts';

/** The texts of the events from the first handshake to the activation, by kind. */
export const VERIFY_TEXTS: Readonly<Record<string, Describe>> = {
  'handshake.declared': (body, { say }) => ({
    heading:
      body.commit_changed === true
        ? `${say('declares', 'declare')} another commit, so earlier passes are stale`
        : `${say('declares', 'declare')} ${textIn(body, 'service')}`,
    parts: handshakeParts(body),
  }),
  'attempt.started': (body, { ids, say }) =>
    headed(`${say('starts', 'start')} ${attemptIn(body)}`, ids.scenario(textIn(body, 'scenario_id'))),
  'evidence.submitted': (body, { say }) => ({
    heading: `${say('gives', 'give')} evidence for ${attemptIn(body)}`,
    text: textIn(body, 'claim'),
    parts: [
      { label: 'saw', text: textIn(body, 'summary') },
      ...recordsIn(body, 'assertions').map(assertionPart),
      {
        label: 'run',
        text: `${textIn(body, 'request_id') || 'a run'} on ${shortHash(textIn(body, 'commit'))}, by ${textIn(body, 'kind')}`,
      },
    ],
  }),
  'verdict.given': (body, { say }) => {
    const said = headed(
      `${say('judges', 'judge')} ${attemptIn(body)}: ${textIn(body, 'verdict')}`,
      textIn(body, 'note'),
    );
    if (body.verdict !== 'PASS') return said;
    const deviations = textsIn(body, 'deviations').map((text) => ({ label: 'deviates', text }));
    return {
      ...said,
      ...(deviations.length > 0 ? { parts: deviations } : {}),
      outcome: `${textIn(body, 'scenario_id')} has passed`,
    };
  },

  'pass.carried': (body, { nameOf, say }) => ({
    heading: `${say('carries', 'carry')} the pass of ${attemptIn(body)} over`,
    text: textIn(body, 'reason'),
    parts: [...recordsIn(body, 'changes').map((change) => changePart(change, nameOf)), ...commitParts(body, nameOf)],
    outcome: `${textIn(body, 'scenario_id')} counts as passed on these commits, without a rerun`,
  }),

  'defect.opened': (body, { nameOf, say }) => {
    const { stage, reason } = membersOf(body.refusal);
    const opened = `${say('opens', 'open')} ${textIn(body, 'defect_id')} on ${attemptIn(body)}, for ${nameOf(textIn(body, 'assigned_to'))}`;
    return {
      heading: stage === undefined ? opened : `${say('refuses', 'refuse')} the ${String(stage)} and ${opened}`,
      ...(typeof reason === 'string' && { text: reason }),
      parts: commitParts(body, nameOf),
    };
  },
  'defect.reopened': (body, { nameOf, say }) => ({
    heading: `${say('opens', 'open')} ${textIn(body, 'defect_id')} again: ${attemptIn(body)} failed`,
    parts: commitParts(body, nameOf),
  }),
  'defect.fixed': (body, { say }) =>
    headed(
      `${say('marks', 'mark')} ${textIn(body, 'defect_id')} fixed on ${shortHash(textIn(body, 'commit'))}`,
      textIn(body, 'note'),
    ),
  'defect.closed': (body) => ({
    heading: '',
    outcome: `${textIn(body, 'defect_id')} is closed: ${attemptIn(body)} passed`,
  }),
  'defect.waived': (body, { say }) => headed(`${say('waives', 'waive')} ${defectIn(body)}`, textIn(body, 'reason')),
  'defect.reassigned': (body, { nameOf, say }) =>
    headed(
      `${say('gives', 'give')} ${defectIn(body)} to ${nameOf(textIn(body, 'assigned_to'))}`,
      textIn(body, 'reason'),
    ),

  'deployment.authorized': (body, context) => authorized('deployment', body, context),
  'activation.authorized': (body, context) => authorized('activation', body, context),
};

const authorized = (stage: string, body: Members, { nameOf, say }: Context): EventText => ({
  heading: `${say('authorizes', 'authorize')} the ${stage} of ${textIn(body, 'manifest_id')}`,
  parts: [...commitParts(body, nameOf), ...labelled('note', textIn(body, 'note'))],
  outcome: `${say('The owner has', 'You have')} authorized the ${stage} of these commits`,
});

function handshakeParts(body: Members): Part[] {
  const branch = textIn(body, 'branch');
  const before = textIn(body, 'previous_commit');
  return [
    {
      label: 'runs',
      text: `${textIn(body, 'service')} ${textIn(body, 'version')} in ${textIn(body, 'environment')}${branch && `, from ${branch}`}`,
    },
    { label: 'commit', text: textIn(body, 'commit') },
    ...labelled('address', textIn(body, 'address')),
    ...(before ? [{ label: 'before', text: before }] : []),
    ...labelled('stale', textsIn(body, 'stale_scenarios').join(', ')),
    ...changesOf(body),
    { label: 'says', text: standingIn(body) },
    ...labelled('fixtures', textIn(body, 'fixture_version')),
    ...labelled('serves', listed(body, 'interfaces')),
    ...labelled('can', listed(body, 'capabilities')),
    ...(typeof body.skew_ms === 'number' ? [{ label: 'clock', text: clockText(body.skew_ms) }] : []),
  ];
}

const changePart = (change: Members, nameOf: Context['nameOf']): Part => ({
  label: 'declared',
  text: `${numberIn(change, 'paths')} changed paths since ${shortHash(textIn(change, 'since'))}, by ${nameOf(textIn(change, 'declared_by'))}`,
});

/** For each commit with which the builder compared its commit: the paths that it declares as changed. */
const changesOf = (body: Members): Part[] =>
  Object.keys(membersOf(body.changes)).map((since) => ({
    label: 'changed',
    text: `since ${shortHash(since)}: ${textsIn(membersOf(body.changes), since).join(', ') || 'no path'}`,
  }));

const standingIn = ({ ready, dependencies_healthy }: Members): string =>
  [
    ready === true ? 'ready' : 'not ready',
    `dependencies ${dependencies_healthy === true ? 'healthy' : 'not healthy'}`,
  ].join(', ');

const labelled = (label: string, text: string): Part[] => (text ? [{ label, text }] : []);

/** The names in a list, as one text. The list contains names, or records with a name. */
const listed = (body: Members, member: string): string =>
  [
    ...textsIn(body, member),
    ...recordsIn(body, member).map((item) => [textIn(item, 'name'), textIn(item, 'version')].join(' ').trim()),
  ]
    .filter((text) => text !== '')
    .join(', ');

/** The part that shows an assertion. The expected value is shown only if the assertion failed. */
function assertionPart(assertion: Members): Part {
  const actual = valueText(assertion.actual);
  const name = textIn(assertion, 'name');
  return assertion.passed === true
    ? { label: 'passes', tone: 'good', text: `${name}: ${actual}` }
    : { label: 'FAILS', tone: 'bad', text: `${name}: ${actual} instead of ${valueText(assertion.expected)}` };
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function commitParts(body: Members, nameOf: Context['nameOf']): Part[] {
  const commits = membersOf(body.commits);
  return ['agent_a', 'agent_b'].flatMap((role) => {
    const commit = textIn(commits, role);
    return commit ? [{ label: 'commit', text: `${commit} of ${nameOf(role)}` }] : [];
  });
}

const attemptIn = (body: Members): string => `${textIn(body, 'scenario_id')}/${numberIn(body, 'attempt')}`;

const defectIn = (body: Members): string => `${textIn(body, 'defect_id')} of ${textIn(body, 'scenario_id')}`;
