import { type Answer, createMemoryStorage, createParley, ParleyError, type RouteRequest } from '@parley/core';

const parley = await createParley({ storage: createMemoryStorage() });

/**
 * The real core, except that every route answers with the request that it got. A route that begins with `/closed`
 * refuses the request before it reads the body.
 */
export function createEchoPort() {
  const seen: RouteRequest[] = [];
  return {
    ...parley,
    seen,
    callRoute: async (request: RouteRequest) => {
      seen.push(request);
      return await echo(request);
    },
    drain: async () => {},
  };
}

async function echo(request: RouteRequest): Promise<Answer> {
  try {
    if (request.path.startsWith('/closed')) throw new ParleyError('UNAUTHORIZED', 'No.');
    const text = await request.readBody();
    const { method, path, query, authorization, address, idempotencyKeys } = request;
    const heard = { method, path, query: [...query], authorization, address, idempotencyKeys, chars: [...text].length };
    return { status: 200, headers: {}, body: JSON.stringify(heard) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { status: error.status, headers: { 'X-Refused': error.code }, body: JSON.stringify(error.body()) };
  }
}
