import {
  type Admission,
  type Answer,
  type HostPort,
  MAX_ANSWER_BYTES,
  MAX_BATCH_BYTES,
  MAX_BATCH_ELEMENTS,
  MAX_WAIT_SECONDS,
  ParleyError,
  type Sender,
} from '@parley/core';
import type { Batch, Body } from './bodies.ts';
import type { Message } from './messages.ts';
import { ACCEPTED, INVALID_REQUEST, type RpcResponse, refuse, refuseWith, toAnswer } from './messages.ts';
import { type Conversation, runNotification, runRequest } from './methods.ts';

/** Answers the body of an admitted request. Rejects with an error if the whole request is refused. */
export async function answerBody(
  parley: HostPort,
  admission: Admission,
  body: Body,
  sender: Pick<Sender, 'signal'>,
): Promise<Answer> {
  if ('messages' in body) return await answerBatch(parley, admission, body, sender);
  const outcome = await answerMessage({ parley, admission, waitSecondsLeft: () => undefined }, body.message);
  return outcome ? toAnswer(outcome) : ACCEPTED;
}

/**
 * Runs the messages of a batch in order. The rate limit admits all of them or none. Together they wait at most as long
 * as a single call may wait. A failed message does not stop the others. If the token is revoked, the whole batch is
 * refused. After the client has disconnected, no further message is run. A message whose longest possible answer might
 * not fit in the answer to the batch is refused and not run.
 */
async function answerBatch(
  parley: HostPort,
  admission: Admission,
  { count, bytes, messages }: Batch,
  { signal }: Pick<Sender, 'signal'>,
): Promise<Answer> {
  if (count === 0 || count > MAX_BATCH_ELEMENTS) return await refuseBatch(admission);
  await admission.charge(count - 1);
  await admission.confirm();
  const conversation: Conversation = { parley, admission, waitSecondsLeft: waitingBudget() };
  const outcomes: RpcResponse[] = [];
  let bytesLeft = MAX_BATCH_BYTES - bytes - count * MAX_REFUSAL_BYTES;
  for (const message of messages) {
    if (outcomes.length > 0) await nextIteration();
    if (signal?.aborted) break;
    const outcome = bytesLeft < MAX_ANSWER_BYTES ? refuseFull(message) : await answerMessage(conversation, message);
    if (!outcome || message.kind === 'notification') continue;
    outcomes.push(outcome);
    bytesLeft -= Buffer.byteLength(outcome.text);
  }
  if (outcomes.length === 0) return ACCEPTED;
  return {
    status: 200,
    headers: {},
    body: `[${outcomes.map(({ text }) => text).join(',')}]`,
    mayCompress: outcomes.every(({ mayCompress }) => mayCompress),
  };
}

/**
 * Lets the event loop run after each message. Otherwise a batch on an embedded database would block all other requests.
 */
const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Maximum size of the refusal of a message, without its id, in bytes. */
const MAX_REFUSAL_BYTES = 1_000;

/** Refuses a message that was not run because the answer to its batch is full. A notification gets no refusal. */
function refuseFull(message: Message): RpcResponse | undefined {
  if (!('id' in message)) return undefined;
  const text = `This call was not executed: the answers to the earlier calls of the batch have reached the limit of ${MAX_BATCH_BYTES} bytes.`;
  return refuseWith(message.id, new ParleyError('BATCH_FULL', text, { limit: MAX_BATCH_BYTES }));
}

async function refuseBatch(admission: Admission): Promise<Answer> {
  await admission.confirm();
  const message = `A batch must contain 1 to ${MAX_BATCH_ELEMENTS} requests.`;
  return toAnswer(refuse(null, { code: INVALID_REQUEST, message }, 400));
}

/**
 * Returns the response to one message.
 *
 * @returns undefined for a notification, which has no response
 */
async function answerMessage(conversation: Conversation, message: Message): Promise<RpcResponse | undefined> {
  if (message.kind === 'request') return await runRequest(conversation, message);
  if (message.kind === 'notification') return await runNotification(conversation, message);
  await conversation.admission.confirm();
  if (message.kind === 'response') return undefined;
  const { id, fault, data } = message;
  return refuse(id, { code: INVALID_REQUEST, message: fault, ...(data === undefined ? {} : { data }) }, 400);
}

function waitingBudget(): () => number {
  const start = performance.now();
  return () => Math.max(0, MAX_WAIT_SECONDS - (performance.now() - start) / 1000);
}
