import { ownerOperations } from '../../../../packages/core/src/areas/owner-registry.ts';
import { operations } from '../../../../packages/core/src/areas/registry.ts';
import type { Heard } from '../../../support/exchange.ts';
import type { FuzzCall } from '../inputs/request.ts';

export interface Verdict {
  readonly isRefused: boolean;
  /** `OK`, or the error code. */
  readonly code: string;
}

interface Parses {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } | undefined };
}

const outputsOf = (listed: readonly { readonly name: string; readonly output: Parses }[]) =>
  new Map(listed.map(({ name, output }) => [name, output]));

const AGENT_OUTPUTS = outputsOf(operations);
const OWNER_OUTPUTS = outputsOf(ownerOperations);

const STATUSES = new Set([200, 400, 401, 403, 404, 405, 409, 413, 422]);

/** Throws an error that names the fault if the answer has a wrong form. */
export function judge(call: FuzzCall, heard: Heard): Verdict {
  if (isAcceptance(call, heard)) return { isRefused: true, code: 'accepted' };
  demand(STATUSES.has(heard.status), `the status ${heard.status}`);
  demand(heard.headers['content-type'] === 'application/json; charset=utf-8', 'an answer that is no JSON');
  const body: unknown = JSON.parse(heard.text);
  return call.door === 'REST' || call.door === 'owner'
    ? judgeBody(call, heard.status, body)
    : judgeRpc(call, heard, body);
}

/** A notification, which is a JSON-RPC call without an id, is answered with 202 and no body. */
const isAcceptance = ({ door }: FuzzCall, { status, text }: Heard): boolean =>
  status === 202 && text === '' && (door === 'MCP' || door === 'path token');

function judgeBody(call: FuzzCall, status: number, body: unknown): Verdict {
  if (status !== 200) return refusal(body);
  checkOutput(call, body);
  return { isRefused: false, code: 'OK' };
}

function judgeRpc(call: FuzzCall, { status }: Heard, body: unknown): Verdict {
  const { jsonrpc, id, result, error } = Object(body);
  demand(jsonrpc === '2.0' && (id === null || ['number', 'string'].includes(typeof id)), 'no JSON-RPC answer');
  if (error !== undefined) {
    demand(Number.isInteger(error.code) && typeof error.message === 'string', 'no JSON-RPC error');
    return { isRefused: true, code: String(error.data?.error ?? error.code) };
  }
  demand(status === 200 && typeof result?.isError === 'boolean', 'no tool result');
  demand(JSON.stringify(result.structuredContent) === result.content?.[0]?.text, 'a text that is not the object');
  if (result.isError) return refusal(result.structuredContent);
  return judgeBody(call, 200, result.structuredContent);
}

function refusal(body: unknown): Verdict {
  const { ok, error, message, hint } = Object(body);
  const isRight = ok === false && /^[A-Z_]+$/.test(error) && typeof message === 'string' && typeof hint === 'string';
  demand(isRight, 'a refusal of another shape');
  demand(error !== 'INTERNAL' && error !== 'STORAGE_UNAVAILABLE', `the failure ${error}`);
  return { isRefused: true, code: error };
}

/** Checks a result against the output schema of its operation, or of `start` if the call creates a session. */
function checkOutput({ door, operation }: FuzzCall, body: unknown): void {
  const outputs = door === 'owner' ? OWNER_OUTPUTS : AGENT_OUTPUTS;
  const parsed = outputs.get(operation?.name ?? 'start')?.safeParse(body);
  demand(parsed?.success === true, `a result of another shape: ${parsed?.error?.message}`);
}

function demand(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`answered with ${what}`);
}
