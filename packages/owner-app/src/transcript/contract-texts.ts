import type { EventBody } from '@parley/core/client';
import { plural } from '../text/counted.ts';
import { timeText } from '../text/time.ts';
import { shortHash } from '../text/visible.ts';
import { type Context, type EventTexts, evidenceParts, headed, labelled, type Part } from './event-text.ts';

/** Maximum number of sections that the text of `reading.recorded` names. Further sections are only counted. */
const NAMED_SECTIONS = 3;

/** The texts of the events from the first revision to the authorization of the build, by kind. */
export const CONTRACT_TEXTS = {
  'revision.created': (body, { say }) => ({
    heading: `${say('saves', 'save')} ${body.revision_id}${body.parent_id ? `, after ${body.parent_id}` : ''}`,
    text: body.reason,
    parts: [hashPart(body), validationPart(body), ...issueParts(body)],
  }),
  'contract.validated': (body, { say }) => ({
    heading: `${say('validates', 'validate')} ${body.revision_id} again (${body.run_id})`,
    parts: [
      validationPart(body),
      ...issueParts(body),
      ...labelled(
        'blocked by',
        (body.blockers ?? []).map(({ code, record, responsible }) => [code, record, responsible].join(', ')),
        'bad',
      ),
    ],
  }),
  'preflight.submitted': ({ revision_id, mappings }, { say }) => ({
    heading: `${say('submits', 'submit')} the preflight of ${revision_id}`,
    parts: mappings.map(mappingPart),
  }),

  'reading.recorded': ({ revision_id, sections }, { say }) => {
    const names = sections.map(({ section }) => section.replaceAll('_', ' '));
    const more = names.length - NAMED_SECTIONS;
    const named = more > 1 ? [...names.slice(0, NAMED_SECTIONS), `${more} more`] : names;
    return headed(`${say('marks', 'mark')} ${revision_id} as read: ${named.join(', ')}`);
  },

  'finding.raised': (body, { nameOf, say }) => {
    const { finding_id, text, target, moderated, evidence } = body;
    const targets = moderated?.target_agents ?? [];
    return {
      heading: `${say('raises', 'raise')} ${finding_id} (${findingNotes(body)})`,
      text,
      parts: [
        ...labelled('about', [target]),
        ...labelled('concerns', targets.length === 1 ? targets.map(nameOf) : []),
        ...labelled('resolved if', [moderated?.resolution_criteria]),
        ...evidenceParts(evidence),
      ],
    };
  },
  'finding.responded': ({ finding_id, decision, response, fixed_in }, { ids, say }) => {
    const verb = decision === 'ACCEPT' ? say('accepts', 'accept') : say('rejects', 'reject');
    const heading = `${verb} ${finding_id}${fixed_in ? `, fixed in ${fixed_in}` : ''}`;
    const finding = labelled('finding', [ids.words(finding_id)]);
    return finding.length === 0
      ? headed(heading, response)
      : { heading, parts: [...finding, ...labelled('answer', [response])] };
  },
  'finding.resolved': ({ finding_id, outcome, note }, { ids, say }) => ({
    ...headed(`${say('closes', 'close')} ${ids.named(finding_id)}`, note),
    outcome: `${finding_id} is ${outcome}`,
  }),
  'finding.overridden': ({ finding_id, reason }, { ids, say }) =>
    headed(`${say('overrides', 'override')} ${ids.named(finding_id)}`, reason),

  'review.submitted': (body, { say }) => ({
    heading: `${say('reviews', 'review')} ${body.revision_id}: ${body.verdict}`,
    parts: [hashPart(body), ...labelled('caveat', body.caveats)],
  }),
  'changes.requested': ({ revision_id, reason }, { say }) =>
    headed(`${say('requests', 'request')} changes to ${revision_id}`, reason),
  'approval.given': ({ stage, revision_id }, { say }) =>
    headed(
      stage === 'approval'
        ? `${say('approves', 'approve')} ${revision_id}; another approver must approve it too`
        : `${say('authorizes', 'authorize')} the ${stage}; another approver must authorize it too`,
    ),
  'contract.approved': (body, { say }) => {
    const { manifest_id, frozen_at, manifest_sha256, artifacts } = body.manifest;
    return {
      heading: `${say('approves', 'approve')} ${body.revision_id} with exactly this hash`,
      parts: [
        hashPart(body),
        { label: 'manifest', text: `${manifest_id}, frozen ${timeText(frozen_at)}` },
        { label: 'sha256', text: manifest_sha256 },
        ...artifacts.map(artifactPart),
      ],
    };
  },

  'receipt.confirmed': ({ filename, sha256 }, { say }) =>
    headed(`${say('confirms', 'confirm')} receipt of ${filename}  ${shortHash(sha256)}`),
  'readiness.submitted': ({ manifest_id, verdict, blockers, mismatches, answers }, { ids, from, say }) => {
    const heading = `${say('reports', 'report')} ${verdict} on ${manifest_id}`;
    const parts = [
      ...labelled('blocker', blockers, 'bad'),
      ...labelled('mismatch', mismatches, 'bad'),
      ...answers.map(({ question_id, answer }) => ({
        label: 'answer',
        title: askedText(question_id, { ids, manifestId: manifest_id, by: from }),
        text: answer,
      })),
    ];
    return parts.length > 0 ? { heading, parts } : { heading };
  },
  'readiness.checked': ({ manifest_id, answers_of, confirmed, disputed }, { nameOf, ids, say }) => {
    const asked = { ids, manifestId: manifest_id, by: answers_of };
    return {
      heading: `${say('confirms', 'confirm')} the answers of ${nameOf(answers_of)} on ${manifest_id}`,
      parts: [
        ...labelled(
          'confirms',
          confirmed.map((id) => askedText(id, asked)),
          'good',
        ),
        ...labelled(
          'disputes',
          disputed.map((id) => askedText(id, asked)),
          'bad',
        ),
      ],
    };
  },
  'build.authorized': (body, { say }) => ({
    heading: `${say('authorizes', 'authorize')} the build of ${body.revision_id}`,
    parts: [hashPart(body), ...labelled('note', [body.note])],
    outcome: 'Both agents are told to BEGIN_BUILD',
  }),
} satisfies Partial<EventTexts>;

interface Asked {
  readonly ids: Context['ids'];
  readonly manifestId: string;
  /** The builder that answered the question. */
  readonly by: string;
}

/** The id of a readiness question, with its text if the text is known. */
const askedText = (questionId: string, { ids, manifestId, by }: Asked): string =>
  [questionId, ids.readinessQuestion({ manifestId, by, questionId })].filter(Boolean).join(' ');

const hashPart = ({ content_hash }: { readonly content_hash: string }): Part => ({
  label: 'content_hash',
  text: content_hash,
});

type Artifact = EventBody<'contract.approved'>['manifest']['artifacts'][number];

function artifactPart({ filename, sha256, assigned_to: [first, second] }: Artifact): Part {
  const letters = { agent_a: 'A', agent_b: 'B' };
  const audience = second ? 'A and B' : first ? letters[first] : 'nobody';
  return { label: `for ${audience}`, text: `${shortHash(sha256)}  ${filename}` };
}

type Mapping = EventBody<'preflight.submitted'>['mappings'][number];

const mappingPart = ({ requirement_id, decisions, tasks, tests, gates, note }: Mapping): Part => ({
  label: 'maps',
  title: requirement_id,
  text: `${[...decisions, ...tasks, ...tests, ...gates].join(', ')}${note ? `\n${note}` : ''}`,
});

type Validation = Pick<EventBody<'revision.created'>, 'error_count' | 'warning_count' | 'issues'>;

const validationPart = ({ error_count, warning_count }: Validation): Part => ({
  label: 'validation',
  text: `${plural(error_count, 'error')}, ${plural(warning_count, 'warning')}`,
});

const ERROR = { label: 'error', tone: 'bad' } as const;
const WARNING = { label: 'warning', tone: 'warn' } as const;

/** The issues of a validation. Events of the log contain the issues; messages of the transcript do not. */
const issueParts = ({ issues = [] }: Validation): Part[] =>
  issues.map(({ severity, code, pointer, message }) => ({
    ...(severity === 'error' ? ERROR : WARNING),
    title: `${code} ${pointer}`.trim(),
    text: message,
  }));

/**
 * The properties of a finding. A reviewer's finding has a kind; a moderator's finding has a category and a severity.
 */
const findingNotes = ({ kind, moderated, blocking }: EventBody<'finding.raised'>): string =>
  [kind, moderated?.category, moderated?.severity, blocking && 'blocking'].filter(Boolean).join(', ');
