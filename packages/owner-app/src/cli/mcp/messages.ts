import { parseOrNull } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';

/** The parts of a JSON-RPC message that the bridge reads. It passes on the text of the message, not this object. */
export interface Message {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Json;
}

/** The messages of one line: more than one for a batch, none for a text that is not JSON. */
export function messagesOf(line: string): Message[] {
  const value = parseOrNull(line);
  return (Array.isArray(value) ? value : [value])
    .map((message) => readAs(message, { id: 'any', method: 'any', params: 'record' }))
    .flatMap(({ id, method, params }) =>
      typeof method === 'string'
        ? [{ id: typeof id === 'string' || typeof id === 'number' ? id : undefined, method, params }]
        : [],
    );
}

export const resultText = (id: Message['id'], result: Json): string => JSON.stringify({ jsonrpc: '2.0', id, result });

export const errorText = (id: Message['id'], code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

/** The result of a tool, as text for the model. */
export const toolText = (text: string, isError = false): Json => ({ content: [{ type: 'text', text }], isError });
