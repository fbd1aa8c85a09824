/** Id of the session that `given` creates. */
export const SESSION = 'SessionOfTheGivenTests';

export const HOLD = { type: 'hold', id: 'h_1' };
export const reason = 'It was settled on the phone.';

/** The time of every past event. */
export const SINCE = '2026-01-05T09:00:00.000Z';
export const UNSAID = { since: SINCE, from: null, said: null };

export const holdWait = (text: string, blocking: boolean) => ({
  wait_id: 'HOLD:h_1',
  kind: 'HOLD',
  record: HOLD,
  finding_id: 'f_1',
  operation: 'releaseHold',
  payload: { hold_id: 'h_1' },
  text,
  blocking,
  since: SINCE,
  from: 'moderator',
  said: 'Not without a rollback.',
});

export const findingWait = {
  wait_id: 'BLOCKER:f_1',
  kind: 'BLOCKER',
  record: { type: 'finding', id: 'f_1' },
  operation: 'overrideFinding',
  payload: { finding_id: 'f_1' },
  text: 'Finding f_1 stops the release: ask the agent that raised it to resolve it, or override the finding.',
  blocking: true,
  since: SINCE,
};

export const questionWait = (blocking: boolean) => ({
  wait_id: 'QUESTION:q_1',
  kind: 'QUESTION',
  record: { type: 'question', id: 'q_1' },
  operation: 'answerQuestion',
  payload: { question_id: 'q_1' },
  text: 'Answer question q_1, which agent_b asked.',
  blocking,
  since: SINCE,
  from: 'agent_b',
  said: 'Which port?',
});

export const sessionWait = (kind: string, operation: string, text: string) => ({
  wait_id: `${kind}:${SESSION}`,
  kind,
  record: { type: 'session', id: SESSION },
  operation,
  payload: {},
  text,
  blocking: true,
  ...UNSAID,
});

export const manifestWait = (operation: string, text: string) => ({
  record: { type: 'manifest', id: 'm_1' },
  operation,
  payload: {},
  text,
  blocking: true,
  ...UNSAID,
});

export const reportedWait = (text: string, from: string) => ({
  ...manifestWait('requestChanges', text),
  wait_id: 'REPORTED_BLOCKED:m_1',
  kind: 'REPORTED_BLOCKED',
  from,
  said: 'No access to staging.',
});
