import { type Admission, type Answer, errorHeaders, type HostPort, ParleyError } from '@parley/core';
import { createHost, type Exchange, type Host, type WireOptions } from '@parley/http-host';
import { readBody, readId } from './bodies.ts';
import { answerBody } from './conversation.ts';
import { INVALID_REQUEST, refuse, refuseWith, toAnswer } from './messages.ts';

export interface McpHostOptions extends WireOptions {
  /** Default `/api/public/mcp`. */
  readonly prefix?: string;
  /**
   * Whether `POST <prefix>/<token>` is accepted in addition to a token in the header. Default true. If false, every
   * such path is answered with 401.
   */
  readonly pathTokens?: boolean;
}

const METHODS = ['POST', 'OPTIONS'];

/**
 * Serves the agents' MCP endpoint: JSON-RPC 2.0 by POST, plain JSON answers, no state between requests.
 *
 * @returns middleware and handler for the prefix, and for the addresses below it that carry the token in the path
 * @throws TypeError for a trusted proxy that is not an address or network
 */
export function createMcpHost(
  parley: HostPort,
  { prefix = '/api/public/mcp', pathTokens = true, ...wire }: McpHostOptions = {},
): Host {
  return createHost(
    parley,
    { prefix, ...wire },
    {
      methods: METHODS.join(', '),
      hasPathTokens: true,
      shownPath: ({ path, below }) => (below.length > 1 ? `${path.slice(0, 1 - below.length)}:token` : path),
      async respond(exchange, { below }) {
        const segment = below.slice(1);
        if (segment !== '') exchange.pathToken = pathTokens ? segment : null;
        const answering = exchange.method === 'POST' ? answerPost : refuseMethod;
        await exchange.answer(await answering(parley, exchange));
      },
    },
  );
}

/**
 * Answers a POST. If the whole request is refused, the error contains the request's id, provided that the id can be
 * read.
 */
async function answerPost(parley: HostPort, exchange: Exchange): Promise<Answer> {
  let text: string | undefined;
  try {
    const admission = await parley.admit(exchange);
    text = await confirmingFaults(admission, () => exchange.readText());
    const body = await confirmingFaults(admission, () => readBody(parley, text ?? ''));
    return await answerBody(parley, admission, body, exchange);
  } catch (thrown) {
    const id = readId(text ?? (await exchange.readStart()));
    return toAnswer(refuseWith(id, parley.toError(thrown)));
  }
}

/**
 * Calls `read`. If `read` throws, checks the token. If the token is not valid any more, throws the error of the check
 * instead of the error of `read`.
 */
async function confirmingFaults<T>(admission: Admission, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (fault) {
    await admission.confirm();
    throw fault;
  }
}

/** Refuses a method other than POST. The request counts toward the rate limits, but its token is not looked up. */
async function refuseMethod(parley: HostPort, exchange: Exchange): Promise<Answer> {
  try {
    await parley.count(exchange);
  } catch (thrown) {
    return toAnswer(refuseWith(null, parley.toError(thrown)));
  }
  const message = `This path does not accept ${exchange.method}. Send JSON-RPC requests by POST.`;
  const error = new ParleyError('METHOD_NOT_ALLOWED', message, { allow: METHODS });
  const outcome = refuse(null, { code: INVALID_REQUEST, message, data: error.body() }, error.status);
  return toAnswer({ ...outcome, headers: errorHeaders(error) });
}
