import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { evidenceIn, evidenceParts, headed, type Part, type Words } from '../event-words.ts';
import type { decisionEvents } from './events.ts';

export const decisionWords: Words<typeof decisionEvents> = {
  'decision.proposed': (body, { say }) => ({
    heading: body.supersedes ? `${say('replaces', 'replace')} a decision` : `${say('proposes', 'propose')} a decision`,
    parts: [proposalPart(body)],
  }),
  'decision.substantiated': ({ decision_id, evidence }, { ids, say }) => ({
    heading: `${say('adds', 'add')} evidence to ${ids.decision(decision_id)}`,
    parts: evidenceParts(evidence),
  }),
  'decision.accepted': ({ decision_id }, { ids, say }) => {
    const decision = ids.decision(decision_id);
    return {
      heading: `${say('accepts', 'accept')} ${decision}`,
      ...(ids.isAccepted(decision_id) && { outcome: `${decision} is resolved: both agents accepted it` }),
    };
  },
  'decision.withdrawn': ({ decision_id, reason }, { ids, say }) =>
    headed(`${say('withdraws', 'withdraw')} ${ids.decision(decision_id)}`, reason),
  'decision.rejected': ({ decision_id, reason }, { ids, say }) =>
    headed(`${say('rejects', 'reject')} ${ids.decision(decision_id)}`, reason),
};

type Proposed = BodyOf<(typeof decisionEvents)['decision.proposed']>;

export const proposalPart = ({
  decision_id,
  topic,
  position,
  supersedes,
  evidence,
}: Omit<Proposed, 'revision'>): Part => ({
  label: 'proposes',
  tone: 'live',
  title: `${decision_id} ${topic}${supersedes ? ` (replaces ${supersedes})` : ''}`.trim(),
  text: position,
  evidence: evidenceIn(evidence),
});
