import { type Part, replying, type Words } from '../event-words.ts';
import type { questionEvents } from './events.ts';

export const questionWords: Words<typeof questionEvents> = {
  'question.asked': (body, { say }) => ({ heading: say('asks', 'ask'), parts: [questionPart(body)] }),
  'question.answered': ({ question_id, answer }, { ids, say }) =>
    replying(say('answers', 'answer'), question_id, { text: answer, ids }),
};

interface Asked {
  readonly question_id: string;
  readonly to: string;
  readonly text: string;
}

export const questionPart = ({ question_id, to, text }: Asked): Part => ({
  label: to === 'owner' ? 'asks owner' : 'asks',
  tone: 'live',
  title: question_id,
  text,
});
