import { readAs } from '../../text/read-as.ts';
import type { Seat } from '../agent/seat-file.ts';
import { errorText, type Message, messagesOf, resultText, toolText } from './messages.ts';
import { type Relayed, RelayFault, relay } from './relay.ts';
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
  /** Undefined if the folder has no token yet. */
  readonly held: Held | undefined;
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
 * `join`, which leads to the state with a token; a token that the service refuses (401), and at `initialize` one whose session has
 * ended, leads back.
 *
 * @returns a function that handles one line of the client
 */
export function createBridge({
  held,
  isOver,
  join,
  send,
  ...unjoined
}: BridgeOptions): (line: string) => Promise<void> {
  let seat = held;
  let version: string | undefined;
  const calls = createCalls();

  async function joined({ id, params }: Message): Promise<string> {
    const { code, url } = readAs(params.arguments, { code: 'any', url: 'any' });
    try {
      const { role, session_id, ...rest } = await join(String(code), typeof url === 'string' ? url : undefined);
      seat = rest;
      send(LIST_CHANGED);
      return resultText(id, { ...toolText(joinedText(role, session_id)), structuredContent: { role, session_id } });
    } catch (error) {
      return resultText(id, toolText(error instanceof Error ? error.message : String(error), true));
    }
  }

  async function opened(line: string, message: Message, by: Held): Promise<void> {
    const signal = AbortSignal.timeout(START_MS);
    const [over, answer] = await Promise.all([
      isOver(by, signal),
      relay(by, line, { signal }).catch((error: unknown) => {
        if (error instanceof RelayFault || signal.aborted) return undefined;
        throw error;
      }),
    ]);
    if (over || answer?.status === 401) {
      if (seat === by) seat = undefined;
      return answeredUnjoined([message]);
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
    if (answer.text !== '') send(answer.text);
    if (answer.status !== 401 || seat !== by) return;
    seat = undefined;
    send(LIST_CHANGED);
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
    if (!seat && single && isJoin(single)) return send(await joined(single));
    if (!seat) return answeredUnjoined(messages);
    return single?.method === 'initialize' ? opened(line, single, seat) : relayed(line, messages, seat);
  };
}

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

const isJoin = ({ method, params }: Message): boolean => method === 'tools/call' && params.name === JOIN;

const joinedText = (role: string, sessionId: string): string =>
  `You are ${role} of the Parley session ${sessionId}. Its tools are listed now; if you do not see them, ask your user to restart the client in this folder. Call read_task first. Then repeat until the session is ENDED: call read_session_state, and the tool that its instruction names.`;

/** The version on which client and service agreed, which later requests have to name. */
function versionIn(answer: Relayed['text']): string | undefined {
  const { result } = readAs(JSON.parse(answer), { result: 'record' });
  return readAs(result, { protocolVersion: 'text' }).protocolVersion || undefined;
}
