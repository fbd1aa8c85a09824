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
 * Returns the error that the message of an MCP client's error contains. If the answer is not a tool result, the message
 * ends with the JSON-RPC error.
 */
function protocolError(message: string): unknown {
  const json = /\{.*\}/s.exec(message)?.[0];
  return json && JSON.parse(json).error?.data;
}
