import { readAs } from '../../text/read-as.ts';
import type { Seat } from '../agent/seat-file.ts';
import { errorText, type Message, messagesOf, resultText, toolText } from './messages.ts';
import { isTokenRefused, type Relayed, RelayFault, relay } from './relay.ts';
import { answerUnjoined, initialized, JOIN, type Unjoined } from './unjoined.ts';

/** JSON-RPC leaves this range to servers. */
const SERVER_ERROR = -32_000;
/** Milliseconds after which `initialize` is answered without the service. Clients give a server that they start 20 to 60 seconds. */
const START_MS = 5_000;
const LIST_CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

/** A token with the address to which alone it is sent. */
export type Held = Pick<Seat, 'url' | 'token'>;

export interface Joined extends Held {
  readonly role: string;
  readonly session_id: string;
}

export interface BridgeOptions extends Unjoined {
  /** Reads the token of the folder, which another client in it can store at any time. Undefined if it has none. */
  readonly read: () => Promise<Held | undefined>;
  /** Whether the session of a token has ended, or the service refuses the token: the folder can then join another session. */
  readonly isOver: (held: Held, signal: AbortSignal) => Promise<boolean>;
  /** Redeems an invitation code and stores the token. Rejects with an error whose message says why not. */
  readonly join: (code: string, url: string | undefined) => Promise<Joined>;
  /** Writes one message. */
  readonly send: (text: string) => void;
}

/**
 * Answers the messages of an MCP client on stdio. With a token it sends each to the service and each answer back, as they are.
 * Only `initialize` is answered without the service if the service is slow or away. States: without a token it offers the tool
 * `join`, which leads to the state with a token, as does a token that another client has stored for the folder; a token that the
 * service refuses, and at `initialize` one whose session has ended, leads back, or to the other token of the folder.
 *
 * @returns a function that handles one line of the client
 */
export function createBridge({
  read,
  isOver,
  join,
  send,
  ...unjoined
}: BridgeOptions): (line: string) => Promise<void> {
  const seat = createSeat(read);
  let version: string | undefined;
  const calls = createCalls();

  async function opened(line: string, message: Message, by: Held): Promise<void> {
    const signal = AbortSignal.timeout(START_MS);
    const [over, answer] = await Promise.all([
      isOver(by, signal),
      relay(by, line, { signal }).catch((error: unknown) => {
        if (error instanceof RelayFault || signal.aborted) return undefined;
        throw error;
      }),
    ]);
    if (over || (answer && isTokenRefused(answer))) {
      const next = await seat.giveUp(by);
      return next ? opened(line, message, next) : answeredUnjoined([message]);
    }
    const text =
      answer?.status === 200 ? answer.text : resultText(message.id, initialized(message.params, awayText(by)));
    version = versionIn(text) ?? version;
    send(text);
  }

  async function relayed(line: string, messages: readonly Message[], by: Held): Promise<void> {
    const id = messages.length === 1 ? messages[0]?.id : undefined;
    const answer = await calls
      .run(id, (signal) => relay(by, line, { version, signal }))
      .catch((error: unknown) => {
        if (!(error instanceof RelayFault)) throw error;
        for (const one of messages) if (one.id !== undefined) send(errorText(one.id, SERVER_ERROR, error.message));
      });
    if (!answer) return;
    const isChange = isTokenRefused(answer) && seat.held() === by;
    const next = isTokenRefused(answer) ? await seat.giveUp(by) : undefined;
    if (!next && answer.text !== '') send(answer.text);
    if (isChange) send(LIST_CHANGED);
    // The refused call was not made.
    if (next) await relayed(line, messages, next);
  }

  function answeredUnjoined(messages: readonly Message[]): void {
    for (const message of messages) {
      const answer = answerUnjoined(message, unjoined);
      if (answer !== undefined) send(answer);
    }
  }

  return async (line) => {
    const messages = messagesOf(line);
    const [first, ...others] = messages;
    for (const { method, params } of messages) if (method === 'notifications/cancelled') calls.cancel(params);
    const single = others.length === 0 && first?.id !== undefined ? first : undefined;
    // A call of `join` is not cancelled: its code works once, and the token would be lost.
    const held = seat.held();
    if (!held && single && isJoin(single)) return send(await joined(single, { seat, isOver, join, send }));
    const by = held ?? (await seat.find());
    if (!by) return answeredUnjoined(messages);
    if (single?.method === 'initialize') return opened(line, single, by);
    if (!held) send(LIST_CHANGED);
    return relayed(line, messages, by);
  };
}

/** The token with which the bridge works. One that was given up is not taken from the folder again. */
function createSeat(read: BridgeOptions['read']) {
  let held: Held | undefined;
  let givenUp: string | undefined;
  async function find(): Promise<Held | undefined> {
    const found = await read();
    if (!held && found && found.token !== givenUp) held = found;
    return held;
  }
  return {
    held: () => held,
    take: (seat: Held): void => {
      held = seat;
    },
    /** Takes the token of the folder, if the bridge has none. */
    find,
    /** @returns the other token that the folder has meanwhile */
    giveUp(by: Held): Promise<Held | undefined> {
      if (held === by) {
        givenUp = by.token;
        held = undefined;
      }
      return held ? Promise.resolve(held) : find();
    },
  };
}

/** @returns the answer to a call of `join` */
async function joined(
  { id, params }: Message,
  { seat, isOver, join, send }: Pick<BridgeOptions, 'isOver' | 'join' | 'send'> & { readonly seat: OwnSeat },
): Promise<string> {
  const found = await seat.find();
  if (found && !(await isOver(found, AbortSignal.timeout(START_MS)))) {
    send(LIST_CHANGED);
    return resultText(id, toolText(HAS_JOINED, true));
  }
  const { code, url } = readAs(params.arguments, { code: 'any', url: 'any' });
  try {
    const { role, session_id, ...rest } = await join(String(code), typeof url === 'string' ? url : undefined);
    seat.take(rest);
    send(LIST_CHANGED);
    return resultText(id, { ...toolText(joinedText(role, session_id)), structuredContent: { role, session_id } });
  } catch (error) {
    return resultText(id, toolText(error instanceof Error ? error.message : String(error), true));
  }
}

type OwnSeat = ReturnType<typeof createSeat>;

/** The calls at the service, by the id of their message. */
function createCalls() {
  const running = new Map<unknown, AbortController>();
  return {
    /** @param params those of the notification that a client has cancelled a call */
    cancel: (params: Message['params']): void => running.get(readAs(params, { requestId: 'any' }).requestId)?.abort(),
    /** Resolves to undefined if the call was cancelled: it then gets no answer. */
    async run<T>(id: Message['id'], call: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
      const aborting = new AbortController();
      if (id !== undefined) running.set(id, aborting);
      try {
        return await call(aborting.signal);
      } catch (error) {
        if (aborting.signal.aborted) return undefined;
        throw error;
      } finally {
        if (running.get(id) === aborting) running.delete(id);
      }
    },
  };
}

const awayText = ({ url }: Held): string =>
  `No service answers at ${url} now. A call is sent again for a while; if it fails, make it again later.`;

const HAS_JOINED =
  'This folder has joined a session meanwhile, through another client. The code was not used. The tools of the session are listed now: call read_task.';

const isJoin = ({ method, params }: Message): boolean => method === 'tools/call' && params.name === JOIN;

const joinedText = (role: string, sessionId: string): string =>
  `You are ${role} of the Parley session ${sessionId}. Its tools are listed now; if you do not see them, ask your user to restart the client in this folder. Call read_task first. Then repeat until the session is ENDED: call read_session_state, and the tool that its instruction names.`;

/** The version on which client and service agreed, which later requests have to name. */
function versionIn(answer: Relayed['text']): string | undefined {
  const { result } = readAs(JSON.parse(answer), { result: 'record' });
  return readAs(result, { protocolVersion: 'text' }).protocolVersion || undefined;
}
