import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { shortHash, timeText } from '../../kernel/text/readable.ts';
import {
  type Context,
  commitParts,
  type EventText,
  hashPart,
  headed,
  type KnownTexts,
  labelled,
  type Part,
  type Words,
} from '../event-words.ts';
import type { manifestEvents, readinessEvents } from './events.ts';

type Events = typeof manifestEvents;

export const manifestWords: Words<Events> = {
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
  'build.authorized': (body, { say }) => ({
    heading: `${say('authorizes', 'authorize')} the build of ${body.revision_id}`,
    parts: [hashPart(body), ...labelled('note', [body.note])],
    outcome: 'Both agents are told to BEGIN_BUILD',
  }),
  'deployment.authorized': (body, context) => authorized('deployment', body, context),
  'activation.authorized': (body, context) => authorized('activation', body, context),
};

type Artifact = BodyOf<Events['contract.approved']>['manifest']['artifacts'][number];

function artifactPart({ filename, sha256, assigned_to: [first, second] }: Artifact): Part {
  const letters = { agent_a: 'A', agent_b: 'B' };
  const audience = second ? 'A and B' : first ? letters[first] : 'nobody';
  return { label: `for ${audience}`, text: `${shortHash(sha256)}  ${filename}` };
}

const authorized = (
  stage: string,
  { manifest_id, commits, note }: BodyOf<Events['deployment.authorized']>,
  { nameOf, say }: Context,
): EventText => ({
  heading: `${say('authorizes', 'authorize')} the ${stage} of ${manifest_id}`,
  parts: [...commitParts(commits, nameOf), ...labelled('note', [note])],
  outcome: `${say('The owner has', 'You have')} authorized the ${stage} of these commits`,
});

export const readinessWords: Words<typeof readinessEvents> = {
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
    const asked = (id: string): string => askedText(id, { ids, manifestId: manifest_id, by: answers_of });
    return {
      heading: `${say('confirms', 'confirm')} the answers of ${nameOf(answers_of)} on ${manifest_id}`,
      parts: [
        ...labelled('confirms', confirmed.map(asked), 'good'),
        ...labelled('disputes', disputed.map(asked), 'bad'),
      ],
    };
  },
};

interface Asked {
  readonly ids: KnownTexts;
  readonly manifestId: string;
  /** The builder that answered the question. */
  readonly by: string;
}

/** The id of a readiness question, with its text if the text is known. */
const askedText = (questionId: string, { ids, manifestId, by }: Asked): string =>
  [questionId, ids.readinessQuestion({ manifestId, by, questionId })].filter(Boolean).join(' ');
