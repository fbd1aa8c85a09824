import {
  type Admission,
  type Answer,
  type HostPort,
  MAX_BATCH_ELEMENTS,
  MAX_WAIT_SECONDS,
  type Sender,
} from '@parley/core';
import { readMessage } from './messages.ts';
import { type Conversation, runRequest } from './methods.ts';
import { ACCEPTED, INVALID_REQUEST, type Outcome, refuse, toAnswer } from './outcome.ts';

/** Answers the parsed body of an admitted request. Rejects with what ends the whole of it. */
export async function answerBody(
  parley: HostPort,
  admission: Admission,
  value: unknown,
  sender: Pick<Sender, 'signal'>,
): Promise<Answer> {
  if (Array.isArray(value)) return await answerBatch(parley, admission, value, sender);
  const outcome = await answerMessage({ parley, admission, waitSecondsLeft: () => undefined }, value);
  return outcome ? toAnswer(outcome) : ACCEPTED;
}

/**
 * A batch is admitted whole or not at all, runs in order, and shares one waiting budget; an element that fails stops no
 * other. A token that is gone before it begins ends it like a single request. When the client leaves, what has not
 * begun does not begin.
 */
async function answerBatch(
  parley: HostPort,
  admission: Admission,
  values: readonly unknown[],
  { signal }: Pick<Sender, 'signal'>,
): Promise<Answer> {
  if (values.length === 0 || values.length > MAX_BATCH_ELEMENTS) return await refuseBatch(admission);
  await admission.charge(values.length - 1);
  await admission.confirm();
  const conversation: Conversation = { parley, admission, waitSecondsLeft: waitingBudget() };
  const outcomes: Outcome[] = [];
  for (const value of values) {
    if (signal?.aborted) break;
    const outcome = await answerMessage(conversation, value);
    if (outcome) outcomes.push(outcome);
  }
  if (outcomes.length === 0) return ACCEPTED;
  return { status: 200, headers: {}, body: `[${outcomes.map(({ text }) => text).join(',')}]` };
}

async function refuseBatch(admission: Admission): Promise<Answer> {
  await admission.confirm();
  const message = `A batch holds 1 to ${MAX_BATCH_ELEMENTS} requests.`;
  return toAnswer(refuse(null, { code: INVALID_REQUEST, message }, 400));
}

/** Nothing for a notification: it is accepted, and has no effect, because nobody could be told how it went. */
async function answerMessage(conversation: Conversation, value: unknown): Promise<Outcome | undefined> {
  const message = readMessage(value);
  if (message.kind === 'request') return await runRequest(conversation, message);
  await conversation.admission.confirm();
  if (message.kind === 'notification') return undefined;
  return refuse(message.id, { code: INVALID_REQUEST, message: message.fault }, 400);
}

function waitingBudget(): () => number {
  const start = performance.now();
  return () => Math.max(0, MAX_WAIT_SECONDS - (performance.now() - start) / 1000);
}
