import { ParleyError } from '@parley/core';
import type { Json } from '@parley/missions';

/** Returns the error body of a call, over any transport. Fails if the call is not refused. */
export async function refusal(call: Promise<unknown>): Promise<Json> {
  const error = await call.then(
    (answer) => new Error(`Answered ${JSON.stringify(answer)} instead of refusing.`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ParleyError) return { ...error.body() };
  if (!(error instanceof Error)) throw error;
  const body = error.cause ?? protocolError(error.message);
  if (typeof body !== 'object' || body === null) throw error;
  return { ...body };
}

/**
 * Reads the error body from the message of an error thrown by an MCP client. If the server answers with a JSON-RPC
 * error instead of a tool result, the message ends with the JSON-RPC error.
 */
function protocolError(message: string): unknown {
  const json = /\{.*\}/s.exec(message)?.[0];
  return json && JSON.parse(json).error?.data;
}
