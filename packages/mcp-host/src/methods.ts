import { type Admission, type HostPort, type ParleyError, quotedName } from '@parley/core';
import { INSTRUCTIONS } from './instructions.ts';
import type { Message } from './messages.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, type Outcome, refuse, refuseWith, succeed, succeedTool } from './outcome.ts';
import { agreeOnVersion } from './protocol-version.ts';

/** What the requests of one body share. */
export interface Conversation {
  readonly parley: Pick<HostPort, 'service' | 'toError'>;
  readonly admission: Admission;
  /** What is left of the body's waiting budget; undefined where a single call has it all. */
  readonly waitSecondsLeft: () => number | undefined;
}

type Request = Extract<Message, { kind: 'request' }>;
type Method = (conversation: Conversation, request: Request) => Outcome | Promise<Outcome>;

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['initialize', confirmed(initialize)],
  ['ping', confirmed((_, { id }) => succeed(id, {}))],
  ['tools/list', confirmed(({ admission }, { id }) => succeed(id, { tools: admission.listTools() }))],
  ['tools/call', callTool],
]);

const unknownMethod = confirmed((_, { id, method }) =>
  refuse(id, { code: METHOD_NOT_FOUND, message: `There is no method ${quotedName(method, 80)}.` }),
);

const unknownTool = confirmed((_, { id, params: { name } }) =>
  refuse(id, {
    code: INVALID_PARAMS,
    message:
      typeof name === 'string'
        ? `There is no tool ${quotedName(name, 80)} for this token.`
        : 'params.name must be a string.',
  }),
);

/** Runs one request to its response. Rejects with what makes an answer impossible. */
export const runRequest: Method = (conversation, request) =>
  (METHODS.get(request.method) ?? unknownMethod)(conversation, request);

/** What looks at no session makes sure first that the token still holds; a tool call does that by itself. */
function confirmed(method: Method): Method {
  return async (conversation, request) => {
    await conversation.admission.confirm();
    return await method(conversation, request);
  };
}

function initialize({ parley: { service } }: Conversation, { id, params }: Request): Outcome {
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

async function callTool(conversation: Conversation, request: Request): Promise<Outcome> {
  const { admission, parley, waitSecondsLeft } = conversation;
  const { id, params } = request;
  const { name, arguments: input } = params;
  if (typeof name !== 'string' || !admission.hasTool(name)) return unknownTool(conversation, request);
  try {
    const { text } = await admission.callTool(name, input ?? {}, waitSecondsLeft());
    return succeedTool(id, text, false);
  } catch (thrown) {
    const error = parley.toError(thrown);
    return endsRequest(error) ? refuseWith(id, error) : succeedTool(id, JSON.stringify(error.body()), true);
  }
}

/** Whose token no longer holds gets no tool result, whenever that was found. */
const endsRequest = ({ jsonRpc }: ParleyError): boolean => jsonRpc === -32001;
