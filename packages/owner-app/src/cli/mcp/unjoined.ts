import { type Json, readAs } from '../../text/read-as.ts';
import { VERSION } from '../version.ts';
import { errorText, type Message, resultText, toolText } from './messages.ts';

const METHOD_NOT_FOUND = -32_601;

/** Versions of MCP whose `initialize`, `ping`, `tools/list` and `tools/call` have the form that this bridge answers in. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** What the bridge says where the service cannot. */
export interface Unjoined {
  /** Whether the user has set the address of the service, so that `join` takes the code alone. */
  readonly hasAddress: boolean;
}

/** The one tool that there is before an invitation code was redeemed. */
export const JOIN = 'join';

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
export function answerUnjoined({ id, method, params }: Message, unjoined: Unjoined): string | undefined {
  if (id === undefined) return undefined;
  const result = method === 'initialize' ? initialized(params, NEXT) : resultOf(method, unjoined);
  return result ? resultText(id, result) : errorText(id, METHOD_NOT_FOUND, `${method} is not supported. ${NEXT}`);
}

/** The result of `initialize` in place of the service. */
export function initialized(params: Json, instructions: string): Json {
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
