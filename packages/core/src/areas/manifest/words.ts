import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { shortHash } from '../../kernel/text/short-hash.ts';
import { timeText } from '../../kernel/text/time-text.ts';
import {
  type Context,
  commitParts,
  type EventText,
  hashPart,
  headed,
  labelled,
  type Part,
  type Words,
} from '../event-words.ts';
import type { manifestEvents } from './events.ts';

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
