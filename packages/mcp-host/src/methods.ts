import { type Admission, type HostPort, type ParleyError, quotedName, type Reply, type ToolFacts } from '@parley/core';
import { INSTRUCTIONS } from './instructions.ts';
import type { Call, Message } from './messages.ts';
import {
  agreeOnVersion,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  type RpcResponse,
  refuse,
  refuseWith,
  succeed,
  succeedTool,
} from './messages.ts';
import { listTools } from './tool-listing.ts';

export interface Conversation {
  readonly parley: Pick<HostPort, 'service' | 'toError'>;
  readonly admission: Admission;
  /** Returns the seconds that the remaining calls of the body may wait together. Undefined for a single call. */
  readonly waitSecondsLeft: () => number | undefined;
}

type Request = Extract<Message, { kind: 'request' }>;
type Method = (conversation: Conversation, request: Request) => RpcResponse | Promise<RpcResponse>;

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['initialize', confirmed(initialize)],
  ['ping', confirmed((_, { id }) => succeed(id, {}))],
  ['tools/list', confirmed(({ admission }, { id }) => succeed(id, { tools: listTools(admission.tools) }))],
  ['tools/call', callTool],
]);

const unknownMethod = confirmed((_, { id, method }) =>
  refuse(id, {
    code: METHOD_NOT_FOUND,
    message: `There is no method ${quotedName(method, 80)}. Use initialize, ping, tools/list or tools/call.`,
  }),
);

const unknownTool = confirmed((_, { id, params: { name } }) =>
  refuse(id, {
    code: INVALID_PARAMS,
    message:
      typeof name === 'string'
        ? `There is no tool ${quotedName(name, 80)} for this token. tools/list shows the tools of this token.`
        : 'params.name must be a string.',
  }),
);

/** Runs one request and returns its response. Rejects with an error that refuses the whole body. */
export const runRequest: Method = (conversation, request) =>
  (METHODS.get(request.method) ?? unknownMethod)(conversation, request);

/** Adds a check of the token to a method that does not read the session. Tool calls check the token themselves. */
function confirmed(method: Method): Method {
  return async (conversation, request) => {
    await conversation.admission.confirm();
    return await method(conversation, request);
  };
}

function initialize({ parley: { service } }: Conversation, { id, params }: Request): RpcResponse {
  return succeed(id, {
    protocolVersion: agreeOnVersion(params.protocolVersion),
    capabilities: { tools: { listChanged: false } },
    serverInfo: {
      name: service.name,
      version: service.version,
      title: 'Parley',
      description: 'Two builder agents plan and verify together, with the owner in charge.',
    },
    instructions: INSTRUCTIONS,
  });
}

async function callTool(conversation: Conversation, request: Request): Promise<RpcResponse> {
  const { id } = request;
  const effect = effectOf(conversation, request);
  if (!effect) return unknownTool(conversation, request);
  try {
    const { text } = await runTool(conversation, request);
    return succeedTool(id, { text, isError: false, mayCompress: effect === 'read' });
  } catch (thrown) {
    const error = conversation.parley.toError(thrown);
    return endsRequest(error)
      ? refuseWith(id, error)
      : succeedTool(id, { text: JSON.stringify(error.body()), isError: true, mayCompress: false });
  }
}

/**
 * Runs a request without an id. It has no response, so it does not wait, and a refusal is not reported. Only a revoked
 * token and a failure of the service change the HTTP status.
 */
export async function runNotification(conversation: Conversation, call: Call): Promise<RpcResponse | undefined> {
  const { admission, parley } = conversation;
  try {
    if (call.method === 'tools/call' && effectOf(conversation, call))
      await runTool({ ...conversation, waitSecondsLeft: () => 0 }, call);
    else await admission.confirm();
    return undefined;
  } catch (thrown) {
    const error = parley.toError(thrown);
    return endsRequest(error) || error.status >= 500 ? refuseWith(null, error) : undefined;
  }
}

/** Whether the called tool reads or writes. Undefined if the token may not call a tool of that name. */
const effectOf = ({ admission }: Conversation, { params: { name } }: Call): ToolFacts['effect'] | undefined =>
  typeof name === 'string' ? admission.effectOf(name) : undefined;

function runTool({ admission, waitSecondsLeft }: Conversation, { params, argumentsText }: Call): Promise<Reply> {
  const name = String(params.name);
  return argumentsText === undefined
    ? admission.callTool(name, params.arguments ?? {}, waitSecondsLeft())
    : admission.callToolText(name, argumentsText, waitSecondsLeft());
}

/** Whether an error is answered as a JSON-RPC error instead of a tool result. True only for errors about the token. */
const endsRequest = ({ jsonRpc }: ParleyError): boolean => jsonRpc === -32001;
