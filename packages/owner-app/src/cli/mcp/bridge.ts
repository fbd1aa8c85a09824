import { readAs } from '../../text/read-as.ts';
import type { Seat } from '../agent/seat-file.ts';
import { errorText, type Message, messagesOf, resultText, toolText } from './messages.ts';
import { type Relayed, RelayFault, relay } from './relay.ts';
import { answerUnjoined, JOIN } from './unjoined.ts';

/** JSON-RPC leaves this range to servers. */
const SERVER_ERROR = -32_000;
const LIST_CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

/** A token with the address to which alone it is sent. */
export type Held = Pick<Seat, 'url' | 'token'>;

export interface Joined extends Held {
  readonly role: string;
  readonly session_id: string;
}

export interface BridgeOptions {
  /** Undefined if the folder has no token yet. */
  readonly held: Held | undefined;
  /** Redeems an invitation code and stores the token. Rejects with an error whose message says why not. */
  readonly join: (code: string, url: string | undefined) => Promise<Joined>;
  /** Writes one message. */
  readonly send: (text: string) => void;
}

/**
 * Answers the messages of an MCP client on stdio. With a token it sends each to the service and each answer back, as they are.
 * States: without a token it offers the tool `join`, which leads to the state with a token; a token that the service refuses
 * (401) leads back.
 *
 * @returns a function that handles one line of the client
 */
export function createBridge({ held, join, send }: BridgeOptions): (line: string) => Promise<void> {
  let seat = held;
  let version: string | undefined;

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

  async function relayed(line: string, messages: readonly Message[], by: Held): Promise<void> {
    const { status, text } = await relay(by, line, version);
    if (text !== '') send(text);
    if (messages.some(({ method }) => method === 'initialize')) version = versionIn(text) ?? version;
    if (status !== 401 || seat !== by) return;
    seat = undefined;
    send(LIST_CHANGED);
  }

  return async (line) => {
    const messages = messagesOf(line);
    const [first, ...others] = messages;
    if (!seat && others.length === 0 && first?.id !== undefined && isJoin(first)) return send(await joined(first));
    if (seat)
      return relayed(line, messages, seat).catch((error: unknown) => {
        if (!(error instanceof RelayFault)) throw error;
        for (const { id } of messages) if (id !== undefined) send(errorText(id, SERVER_ERROR, error.message));
      });
    for (const message of messages) {
      const answer = answerUnjoined(message);
      if (answer !== undefined) send(answer);
    }
  };
}

const isJoin = ({ method, params }: Message): boolean => method === 'tools/call' && params.name === JOIN;

const joinedText = (role: string, sessionId: string): string =>
  `You are ${role} of the Parley session ${sessionId}. Its tools are listed now; if you do not see them, ask your user to restart the client in this folder. Call read_task first. Then repeat until the session is ENDED: call read_session_state, and the tool that its instruction names.`;

/** The version on which client and service agreed, which later requests have to name. */
function versionIn(answer: Relayed['text']): string | undefined {
  const { result } = readAs(JSON.parse(answer), { result: 'record' });
  return readAs(result, { protocolVersion: 'text' }).protocolVersion || undefined;
}
