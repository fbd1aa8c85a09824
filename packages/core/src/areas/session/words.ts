import { plural } from '../../kernel/text/readable.ts';
import { headed, labelled, type Words } from '../event-words.ts';
import type { sessionEvents } from './events.ts';

export const sessionWords: Words<typeof sessionEvents> = {
  'session.created': ({ title, objective, guardrails, requirements, agenda, source }, { say }) => ({
    heading: `${say('opens', 'open')} "${title}"`,
    text: objective,
    parts: [
      ...labelled('guardrail', guardrails),
      ...requirements.map(({ requirement_id, text }) => ({ label: 'required', title: requirement_id, text })),
      ...(agenda?.topics ?? []).map(({ topic, question }) => ({ label: 'to decide', title: topic, text: question })),
      ...(agenda?.scenarios ?? []).map(({ id, title, given, when, then }) => ({
        label: 'to test',
        title: `${id} ${title}`,
        text: `Given ${given}\nWhen ${when}\nThen ${then}`,
      })),
      ...(source
        ? [{ label: 'made from', title: source.kind, text: `${source.location} (SHA-256 ${source.sha256})` }]
        : []),
    ],
  }),
  'first_turn.chosen': ({ first_turn }, { nameOf, say }) => headed(`${say('lets', 'let')} ${nameOf(first_turn)} begin`),
  'session.started': (_, { say }) => headed(`${say('starts', 'start')} the session`),
  'session.paused': ({ reason }, { say }) => headed(`${say('pauses', 'pause')} the session`, reason),
  'session.resumed': (_, { say }) => headed(`${say('resumes', 'resume')} the session`),
  'session.ended': ({ end_reason, note }, { say }) => headed(`${say('ends', 'end')} the session: ${end_reason}`, note),
  'rounds.extended': ({ rounds, round_limit }, { say }) =>
    headed(`${say('grants', 'grant')} ${plural(rounds, 'more round')}, ${round_limit} in all`),
  'phase.changed': ({ from, to }) => ({ heading: '', outcome: `phase ${from} → ${to}` }),
};
