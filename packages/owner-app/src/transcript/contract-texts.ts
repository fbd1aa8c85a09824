import { timeText } from '../text/time.ts';
import { shortHash } from '../text/visible.ts';
import { type Context, type Describe, type EventText, headed, type Part, type PartTone } from './event-text.ts';
import { countIn, type Members, membersOf, recordsIn, textIn, textsIn } from './message.ts';
import { evidenceIn } from './turn-parts.ts';

/** The texts of the events from the first revision to the authorization of the build, by kind. */
/** Maximum number of sections that the text of `reading.recorded` names. Further sections are only counted. */
const NAMED_SECTIONS = 3;

export const CONTRACT_TEXTS: Readonly<Record<string, Describe>> = {
  'revision.created': (body, { say }) => ({
    heading: `${say('saves', 'save')} ${textIn(body, 'revision_id')}${after(body)}`,
    text: textIn(body, 'reason'),
    parts: [{ label: 'content_hash', text: textIn(body, 'content_hash') }, validationPart(body), ...issueParts(body)],
  }),
  'contract.validated': (body, { say }) => ({
    heading: `${say('validates', 'validate')} ${textIn(body, 'revision_id')} again (${textIn(body, 'run_id')})`,
    parts: [validationPart(body), ...issueParts(body), ...blockerParts(body)],
  }),
  'preflight.submitted': (body, { say }) => ({
    heading: `${say('submits', 'submit')} the preflight of ${textIn(body, 'revision_id')}`,
    parts: recordsIn(body, 'mappings').map(mappingPart),
  }),

  'reading.recorded': (body, { say }) => {
    const sections = recordsIn(body, 'sections').map((section) => textIn(section, 'section').replaceAll('_', ' '));
    const more = sections.length - NAMED_SECTIONS;
    const named = more > 1 ? [...sections.slice(0, NAMED_SECTIONS), `${more} more`] : sections;
    return headed(`${say('marks', 'mark')} ${textIn(body, 'revision_id')} as read: ${named.join(', ')}`);
  },

  'finding.raised': (body, { nameOf, say }) => ({
    heading: `${say('raises', 'raise')} ${textIn(body, 'finding_id')} (${findingNotes(body)})`,
    text: textIn(body, 'text'),
    parts: [
      ...labelled('about', [textIn(body, 'target')]),
      ...moderatedParts(body, nameOf),
      ...evidenceIn(body).map((item) => ({ label: 'evidence', evidence: [item] })),
    ],
  }),
  'finding.responded': (body, { ids, say }) => {
    const id = textIn(body, 'finding_id');
    const heading = `${body.decision === 'ACCEPT' ? say('accepts', 'accept') : say('rejects', 'reject')} ${id}${fixedIn(body)}`;
    const response = textIn(body, 'response');
    const finding = labelled('finding', [ids.words(id)]);
    return finding.length === 0
      ? headed(heading, response)
      : { heading, parts: [...finding, ...labelled('answer', [response])] };
  },
  'finding.resolved': (body, { ids, say }) => ({
    ...headed(`${say('closes', 'close')} ${ids.named(textIn(body, 'finding_id'))}`, textIn(body, 'note')),
    outcome: `${textIn(body, 'finding_id')} is ${textIn(body, 'outcome')}`,
  }),
  'finding.overridden': (body, { ids, say }) =>
    headed(`${say('overrides', 'override')} ${ids.named(textIn(body, 'finding_id'))}`, textIn(body, 'reason')),

  'review.submitted': (body, { say }) => ({
    heading: `${say('reviews', 'review')} ${textIn(body, 'revision_id')}: ${textIn(body, 'verdict')}`,
    parts: [
      { label: 'content_hash', text: textIn(body, 'content_hash') },
      ...labelled('caveat', textsIn(body, 'caveats')),
    ],
  }),
  'changes.requested': (body, { say }) =>
    headed(`${say('requests', 'request')} changes to ${textIn(body, 'revision_id')}`, textIn(body, 'reason')),
  'approval.given': (body, { say }) =>
    headed(
      body.stage === 'approval'
        ? `${say('approves', 'approve')} ${textIn(body, 'revision_id')}; another approver must approve it too`
        : `${say('authorizes', 'authorize')} the ${textIn(body, 'stage')}; another approver must authorize it too`,
    ),
  'contract.approved': approved,

  'receipt.confirmed': (body, { say }) =>
    headed(
      `${say('confirms', 'confirm')} receipt of ${textIn(body, 'filename')}  ${shortHash(textIn(body, 'sha256'))}`,
    ),
  'readiness.submitted': (body, { ids, from, say }) => {
    const heading = `${say('reports', 'report')} ${textIn(body, 'verdict')} on ${textIn(body, 'manifest_id')}`;
    const parts = [
      ...labelled('blocker', textsIn(body, 'blockers'), 'bad'),
      ...labelled('mismatch', textsIn(body, 'mismatches'), 'bad'),
      ...readinessAnswers(body, { ids, from }),
    ];
    return parts.length > 0 ? { heading, parts } : { heading };
  },
  'readiness.checked': (body, { nameOf, ids, say }) => ({
    heading: `${say('confirms', 'confirm')} the answers of ${nameOf(textIn(body, 'answers_of'))} on ${textIn(body, 'manifest_id')}`,
    parts: [
      ...checkedParts('confirms', textsIn(body, 'confirmed'), { tone: 'good', body, ids }),
      ...checkedParts('disputes', textsIn(body, 'disputed'), { tone: 'bad', body, ids }),
    ],
  }),
  'build.authorized': (body, { say }) => ({
    heading: `${say('authorizes', 'authorize')} the build of ${textIn(body, 'revision_id')}`,
    parts: [{ label: 'content_hash', text: textIn(body, 'content_hash') }, ...labelled('note', [textIn(body, 'note')])],
    outcome: 'Both agents are told to BEGIN_BUILD',
  }),
};

/** The answers of a readiness report, each with the question if its text is known. */
const readinessAnswers = (body: Members, { ids, from }: Pick<Context, 'ids' | 'from'>): Part[] =>
  recordsIn(body, 'answers').map((answer) => {
    const questionId = textIn(answer, 'question_id');
    const question = ids.readinessQuestion({ manifestId: textIn(body, 'manifest_id'), by: from, questionId });
    return {
      label: 'answer',
      title: [questionId, question].filter(Boolean).join(' '),
      text: textIn(answer, 'answer'),
    };
  });

interface Checked {
  readonly tone: PartTone;
  readonly body: Members;
  readonly ids: Context['ids'];
}

/** The readiness questions whose answers were checked, each with its text if the text is known. */
const checkedParts = (label: string, questionIds: readonly string[], { tone, body, ids }: Checked): Part[] =>
  questionIds.map((questionId) => {
    const asked = { manifestId: textIn(body, 'manifest_id'), by: textIn(body, 'answers_of'), questionId };
    return { label, tone, text: [questionId, ids.readinessQuestion(asked)].filter(Boolean).join(' ') };
  });

function approved(body: Members, { say }: Context): EventText {
  const manifest = membersOf(body.manifest);
  return {
    heading: `${say('approves', 'approve')} ${textIn(body, 'revision_id')} with exactly this hash`,
    parts: [
      { label: 'content_hash', text: textIn(body, 'content_hash') },
      { label: 'manifest', text: `${textIn(manifest, 'manifest_id')}, frozen ${timeText(manifest.frozen_at)}` },
      { label: 'sha256', text: textIn(manifest, 'manifest_sha256') },
      ...recordsIn(manifest, 'artifacts').map(artifactPart),
    ],
  };
}

function artifactPart(artifact: Members): Part {
  const audience = textsIn(artifact, 'assigned_to').map((role) => (role === 'agent_a' ? 'A' : 'B'));
  const text = `${shortHash(textIn(artifact, 'sha256'))}  ${textIn(artifact, 'filename')}`;
  return { label: audience.length === 2 ? 'for A and B' : `for ${audience[0] ?? 'nobody'}`, text };
}

function mappingPart(mapping: Members): Part {
  const targets = ['decisions', 'tasks', 'tests', 'gates'].flatMap((member) => textsIn(mapping, member));
  const note = textIn(mapping, 'note');
  return {
    label: 'maps',
    title: textIn(mapping, 'requirement_id'),
    text: `${targets.join(', ')}${note ? `\n${note}` : ''}`,
  };
}

const validationPart = (body: Members): Part => ({
  label: 'validation',
  text: `${countIn(body, 'error_count', 'error')}, ${countIn(body, 'warning_count', 'warning')}`,
});

const ERROR = { label: 'error', tone: 'bad' } as const;
const WARNING = { label: 'warning', tone: 'warn' } as const;

/** The issues of a validation. Events of the log contain the issues; messages of the transcript do not. */
const issueParts = (body: Members): Part[] =>
  recordsIn(body, 'issues').map((issue) => ({
    ...(issue.severity === 'error' ? ERROR : WARNING),
    title: [textIn(issue, 'code'), textIn(issue, 'pointer')].join(' ').trim(),
    text: textIn(issue, 'message'),
  }));

const blockerParts = (body: Members): Part[] =>
  recordsIn(body, 'blockers').map((blocker) => ({
    label: 'blocked by',
    tone: 'bad',
    text: ['code', 'record', 'responsible'].map((member) => textIn(blocker, member)).join(', '),
  }));

const labelled = (label: string, texts: readonly string[], tone?: PartTone): Part[] =>
  texts.filter((text) => text !== '').map((text) => ({ label, ...(tone && { tone }), text }));

const after = (body: Members): string => (textIn(body, 'parent_id') ? `, after ${textIn(body, 'parent_id')}` : '');

const fixedIn = (body: Members): string => (textIn(body, 'fixed_in') ? `, fixed in ${textIn(body, 'fixed_in')}` : '');

/**
 * The properties of a finding. A reviewer's finding has a kind; a moderator's finding has a category and a severity.
 */
function findingNotes(body: Members): string {
  const { category, severity } = membersOf(body.moderated);
  const notes = [textIn(body, 'kind'), category, severity, body.blocking === true ? 'blocking' : ''];
  return notes.filter(Boolean).join(', ');
}

function moderatedParts(body: Members, nameOf: Context['nameOf']): Part[] {
  const moderated = membersOf(body.moderated);
  const targets = textsIn(moderated, 'target_agents');
  return [
    ...(targets.length === 1 ? labelled('concerns', targets.map(nameOf)) : []),
    ...labelled('resolved if', [textIn(moderated, 'resolution_criteria')]),
  ];
}
