import { type KnownTexts, labelled, type Words } from '../event-words.ts';
import type { readinessEvents } from './events.ts';

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
