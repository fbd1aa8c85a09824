import type { DraftPlace } from '../../api/drafts.ts';

/** The place of the draft answer to a question. */
export const answerPlace = (sessionId: string, questionId: string): DraftPlace => ({
  sessionId,
  record: questionId,
  form: 'answer',
});

/** The place of the draft note on a recommendation. */
export const notePlace = (sessionId: string, recommendationId: string): DraftPlace => ({
  sessionId,
  record: recommendationId,
  form: 'note',
});
