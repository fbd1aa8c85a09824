/** Id of the session that `given` creates. */
export const SESSION = 'SessionOfTheGivenTests';

export const reason = 'It was settled on the phone.';

/** The time of every past event. */
export const SINCE = '2026-01-05T09:00:00.000Z';
export const UNSAID = { since: SINCE, from: null, said: null };

/** The members that name a wait about a record. `record`: its type and its id. */
export function named(kind: string, record: string) {
  const [type, id] = record.split(' ');
  return { wait_id: `${kind}:${id}`, kind, record: { type, id } };
}

export const holdWait = (text: string, blocking: boolean) => ({
  ...named('HOLD', 'hold h_1'),
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
  ...named('BLOCKER', 'finding f_1'),
  operation: 'overrideFinding',
  payload: { finding_id: 'f_1' },
  text: 'Finding f_1 stops the release: ask the agent that raised it to resolve it, or override the finding.',
  blocking: true,
  since: SINCE,
};

export const questionWait = (blocking: boolean) => ({
  ...named('QUESTION', 'question q_1'),
  operation: 'answerQuestion',
  payload: { question_id: 'q_1' },
  text: 'Answer question q_1, which agent_b asked.',
  blocking,
  since: SINCE,
  from: 'agent_b',
  said: 'Which port?',
});

export const sessionWait = (kind: string, operation: string, text: string) => ({
  ...named(kind, `session ${SESSION}`),
  operation,
  payload: {},
  text,
  blocking: true,
  ...UNSAID,
});

export const manifestWait = (operation: string, text: string) => ({
  operation,
  payload: {},
  text,
  blocking: true,
  ...UNSAID,
});

export const reportedWait = (text: string, from: string) => ({
  ...manifestWait('requestChanges', text),
  ...named('REPORTED_BLOCKED', 'manifest m_1'),
  from,
  said: 'No access to staging.',
});
