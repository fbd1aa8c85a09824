import { ParleyError } from '@parley/core';
import type { Json } from '@parley/missions';

/** The error body of a call that must be refused, whichever door it went through. */
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

/** What an MCP client says of an answer that is no tool result: its text ends in the JSON-RPC error. */
function protocolError(message: string): unknown {
  const json = /\{.*\}/s.exec(message)?.[0];
  return json && JSON.parse(json).error?.data;
}
