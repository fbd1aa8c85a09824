import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, parseOrNull } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';
import { mcpHeaders } from '../agent/agent-client.ts';
import type { Seat } from '../agent/seat.ts';
import { readText, reasonOf } from '../client/answer.ts';
import { passingPauseMs } from '../client/passing-pause.ts';
import { proxiedFetch } from '../client/request.ts';
import { VERSION } from '../terminal.ts';

/** The parts of a JSON-RPC message that the bridge reads. It passes on the text of the message, not this object. */
interface Message {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Json;
}

/** The messages of one line: more than one for a batch, none for a text that is not JSON. */
function messagesOf(line: string): Message[] {
  const value = parseOrNull(line);
  return (Array.isArray(value) ? value : [value])
    .map((message) => readAs(message, { id: 'any', method: 'any', params: 'record' }))
    .flatMap(({ id, method, params }) =>
      typeof method === 'string'
        ? [{ id: typeof id === 'string' || typeof id === 'number' ? id : undefined, method, params }]
        : [],
    );
}

const resultText = (id: Message['id'], result: Json): string => JSON.stringify({ jsonrpc: '2.0', id, result });

const errorText = (id: Message['id'], code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

/** The result of a tool, as text for the model. */
const toolText = (text: string, isError = false): Json => ({ content: [{ type: 'text', text }], isError });

interface RelayOptions {
  /** The version on which client and service agreed. */
  readonly version?: string | undefined;
  /** Ends the request. The promise then rejects. */
  readonly signal?: AbortSignal;
}

/** For this long a message that has certainly not arrived is sent again. The usual limit of clients for one call is a minute. */
const AWAY_MS = 50_000;

/** Errors of a connection that was never made, so that the message has not arrived. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

interface Relayed {
  readonly status: number;
  /** The answer as the service sent it; empty if a message has none. */
  readonly text: string;
}

/** A message that has no answer of the service. The text is for the model. */
class RelayFault extends Error {}

/**
 * Sends a message to the service and returns the answer, both unchanged. Sends it again while no connection can be made or the
 * service says that it is stopping.
 */
export async function relay(
  { url, token }: Pick<Seat, 'url' | 'token'>,
  line: string,
  { version, signal }: RelayOptions = {},
): Promise<Relayed> {
  const begun = performance.now();
  const mayTryAgain = (): boolean => performance.now() - begun < AWAY_MS;
  for (let failures = 1; ; failures += 1) {
    const abort = new AbortController();
    const response = await proxiedFetch(`${url}/api/public/mcp`, {
      method: 'POST',
      headers: { ...mcpHeaders(token), ...(version !== undefined && { 'mcp-protocol-version': version }) },
      body: line,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, abort.signal]) : abort.signal,
    }).catch((error: unknown) => {
      if (isNotConnected(error) && mayTryAgain()) return undefined;
      throw faultOf(url, error);
    });
    const answer = response && (await answerOf({ url, response, abort }));
    if (answer && !(isStopping(answer) && mayTryAgain())) return answer;
    await sleep(passingPauseMs(undefined, failures), undefined, signal ? { signal } : {});
  }
}

async function answerOf(body: Parameters<typeof readText>[0]): Promise<Relayed> {
  const { url, response } = body;
  const { status } = response;
  const text = await readText(body).catch((error: unknown) => {
    throw faultOf(url, error);
  });
  if (!(text === '' ? status === 202 : isOfJsonRpc(text)))
    throw new RelayFault(`${url} does not answer as a Parley service does (HTTP ${status}). Tell your user.`);
  // Outside of its strings, a line feed means nothing in JSON. Between messages on stdout it means the end.
  return { status, text: text.replace(/[\r\n]+/g, ' ') };
}

/** Whether a text is one message of JSON-RPC, or several in a list. A page of a proxy, or an answer in another form, is not. */
function isOfJsonRpc(text: string): boolean {
  const value = parseOrNull(text);
  const messages = Array.isArray(value) ? value : [value];
  return (
    messages.length > 0 &&
    messages.every(
      (message) =>
        isRecord(message) &&
        message.jsonrpc === '2.0' &&
        ['result', 'error', 'method'].some((member) => Object.hasOwn(message, member)),
    )
  );
}

/** The codes with which the service refuses a token. A proxy that wants a sign-in answers 401 too. */
const TOKEN_REFUSALS = ['UNAUTHORIZED', 'TOKEN_REVOKED', 'TOKEN_EXPIRED'];

/** @param refusal the error object of an answer with 401 */
export const isRefusalOfToken = (refusal: unknown): boolean =>
  TOKEN_REFUSALS.includes(readAs(refusal, { error: 'text' }).error);

/** Whether the service, and no proxy before it, says that the token does not hold. */
const isTokenRefused = ({ status, text }: Relayed): boolean => status === 401 && isRefusalOfToken(dataOf(text));

/** The error object in the text of a JSON-RPC answer. */
const dataOf = (text: string): Json =>
  readAs(readAs(parseOrNull(text), { error: 'record' }).error, { data: 'record' }).data;

/** Whether the service refused the message because it is stopping. After another 503 a write may be stored. */
const isStopping = ({ status, text }: Relayed): boolean =>
  status === 503 && readAs(dataOf(text), { error: 'text' }).error === 'SHUTTING_DOWN';

const isNotConnected = (error: unknown): boolean => NOT_CONNECTED.includes(reasonOf(error));

const faultOf = (url: string, error: unknown): RelayFault =>
  new RelayFault(
    isNotConnected(error)
      ? `No service answers at ${url}. The call was not made. Make it again later.`
      : `The connection to ${url} broke (${reasonOf(error)}). The call may have been made: read the state before you repeat it.`,
  );

const METHOD_NOT_FOUND = -32_601;

/** Versions of MCP whose `initialize`, `ping`, `tools/list` and `tools/call` have the form that this bridge answers in. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** What the bridge says where the service cannot. */
interface Unjoined {
  /** Whether the user has set the address of the service, so that `join` takes the code alone. */
  readonly hasAddress: boolean;
}

/** The one tool that there is before an invitation code was redeemed. */
const JOIN = 'join';

const joinTool = ({ hasAddress }: Unjoined) => ({
  name: JOIN,
  title: 'Join a session',
  description:
    'Exchange an invitation code for a seat in a Parley session. Use the code and the address that your user or the invitation gave you. Afterwards the tools of the session are listed.',
  inputSchema: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'The one-time invitation code, pinv_…' },
      ...(hasAddress
        ? {}
        : { url: { type: 'string', description: 'The address of the service, such as https://parley.example.com' } }),
    },
    required: hasAddress ? ['code'] : ['code', 'url'],
    // The text of an invitation names the address for every client; a client must not refuse to pass it.
    additionalProperties: hasAddress,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
});

const NEXT = `This folder has not joined a Parley session. Call ${JOIN} with the invitation code and the address of the service.`;

/** Answers a message in place of the service, as long as there is no token with which it could be asked. */
function answerUnjoined({ id, method, params }: Message, unjoined: Unjoined): string | undefined {
  if (id === undefined) return undefined;
  const result = method === 'initialize' ? initialized(params, NEXT) : resultOf(method, unjoined);
  return result ? resultText(id, result) : errorText(id, METHOD_NOT_FOUND, `${method} is not supported. ${NEXT}`);
}

/** The result of `initialize` in place of the service. */
function initialized(params: Json, instructions: string): Json {
  const wanted = readAs(params, { protocolVersion: 'text' }).protocolVersion;
  return {
    protocolVersion: VERSIONS.includes(wanted) ? wanted : VERSIONS[0],
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'parley', title: 'Parley', version: VERSION },
    instructions,
  };
}

function resultOf(method: string, unjoined: Unjoined): Json | undefined {
  switch (method) {
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: [joinTool(unjoined)] };
    case 'tools/call':
      return toolText(NEXT, true);
    default:
      return undefined;
  }
}

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

interface BridgeOptions extends Unjoined {
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
