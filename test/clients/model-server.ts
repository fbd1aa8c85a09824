import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, readAs } from '../../packages/owner-app/src/text/read-as.ts';

/** The model ends its turn if no order comes within this time. */
const IDLE_MS = 1_000;
const LOOK_MS = 20;
/** A call that did not reach the service is made again after this time. */
const AGAIN_MS = 1_500;

/** A tool call that the model of a role has to make. */
interface Order {
  /** A new id for each time that the client was told to make the call, because clients store one result for each id. */
  readonly ids: string[];
  /** Name of a tool of Parley or, if `isOwn`, of the client. */
  readonly tool: string;
  readonly isOwn: boolean;
  readonly input: Json;
  /** Until this time of `performance.now()` the order is not given to the client again. */
  notBefore: number;
  givenAt: number;
  readonly resolve: (result: Json) => void;
  readonly reject: (error: Error) => void;
}

/** Replaces a model: makes the tool calls that a test orders, for Claude Code (Messages) and Codex (Responses). */
export interface ModelServer {
  readonly url: string;
  /** Maps a role to the sizes, in bytes, of the requests of its client to the model. */
  readonly requests: ReadonlyMap<string, readonly number[]>;
  /**
   * Makes the client of a role call a tool of Parley. Resolves to the result, and rejects if Parley refuses the call.
   * If the client or the service is killed before an answer, the call is made again. The promise then resolves even if
   * Parley refuses the repeated call, because the first call may have been stored.
   */
  order(role: string, tool: string, input: Json): Promise<Json>;
  /** Makes the client call a tool of its own, such as its shell. */
  orderOwn(role: string, tool: string, input: Json): Promise<Json>;
  close(): void;
}

export async function startModelServer(): Promise<ModelServer> {
  const orders = new Map<string, Order[]>();
  const requests = new Map<string, number[]>();
  let count = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, role = '', ...path] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const text = await textOf(request);
    const isMessages = path.join('/') === 'v1/messages';
    if (!isMessages && path.join('/') !== 'v1/responses') return void response.writeHead(404).end('{}');
    requests.set(role, [...(requests.get(role) ?? []), Buffer.byteLength(text)]);
    const { body } = readAs({ body: JSON.parse(text) }, { body: 'record' });
    const queue = orders.get(role) ?? [];
    settle(queue, resultsOf(body));
    const order = hasTools(body) ? await nextOrder(orders, role, response) : undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    count += 1;
    for (const event of isMessages ? messageEvents(count, order) : responseEvents(count, order))
      response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  };
  const add = (role: string, call: Pick<Order, 'tool' | 'input' | 'isOwn'>): Promise<Json> =>
    new Promise((resolve, reject) => {
      const order = { ...call, ids: [], notBefore: 0, givenAt: 0, resolve, reject };
      orders.set(role, [...(orders.get(role) ?? []), order]);
    });
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    order: (role, tool, input) => add(role, { tool, input, isOwn: false }),
    orderOwn: (role, tool, input) => add(role, { tool, input, isOwn: true }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const hasTools = ({ tools }: Json): boolean => (JSON.stringify(tools) ?? '').includes('read_session_state');

/** Waits for an order. Returns undefined if no order arrives in time, or if the client disconnects. */
async function nextOrder(
  orders: ReadonlyMap<string, Order[]>,
  role: string,
  response: ServerResponse,
): Promise<Order | undefined> {
  for (let waitedMs = 0; waitedMs < IDLE_MS && !response.destroyed; waitedMs += LOOK_MS) {
    const [first] = orders.get(role) ?? [];
    if (first && first.notBefore <= performance.now()) {
      first.ids.push(`call_${crypto.randomUUID()}`);
      first.givenAt = performance.now();
      return first;
    }
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** Removes the orders that Parley has answered. The remaining orders are given to the client again. */
function settle(queue: Order[], results: readonly Json[]): void {
  for (const result of results) {
    const place = queue.findIndex(({ ids }) => ids.includes(String(result.tool_use_id ?? result.call_id)));
    const order = queue[place];
    if (!order) continue;
    const value = objectIn(result.content ?? result.output);
    const isRefused = value.ok === false;
    // An error without a code of Parley means that the client did not reach the service.
    if (!order.isOwn && !isRefused && (result.is_error === true || !isAnswer(value))) {
      // Later requests of the conversation repeat older results, which are ignored.
      if (order.ids.at(-1) === (result.tool_use_id ?? result.call_id) && order.notBefore <= order.givenAt)
        order.notBefore = performance.now() + AGAIN_MS;
      continue;
    }
    queue.splice(place, 1);
    if (isRefused && order.ids.length === 1) order.reject(new Error(`${order.tool}: ${JSON.stringify(value)}`));
    else order.resolve(value);
  }
}

/** Whether a value is an answer of Parley. A text that is not JSON is an error of the client. */
const isAnswer = (value: Json): boolean => !(Object.keys(value).length === 1 && typeof value.text === 'string');

const resultsOf = (body: Json): readonly Json[] =>
  [
    ...readAs(body, { messages: 'records' }).messages.flatMap((one) => readAs(one, { content: 'records' }).content),
    ...readAs(body, { input: 'records' }).input,
  ].filter((part) => ['tool_result', 'function_call_output'].includes(readAs(part, { type: 'text' }).type));

/**
 * Finds the JSON object in the result of a tool. The result is a text, or a list of parts with texts. A client may have
 * put words before the JSON.
 */
function objectIn(value: unknown): Json {
  if (typeof value === 'string') {
    try {
      return objectIn(JSON.parse(value.slice(Math.max(value.indexOf('{'), 0))));
    } catch {
      return { text: value };
    }
  }
  if (Array.isArray(value)) return objectIn(value.map((part) => readAs(part, { text: 'text' }).text).join(''));
  return readAs({ value }, { value: 'record' }).value;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function* messageEvents(count: number, order: Order | undefined): Generator<Json> {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
  yield { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } };
  if (order) {
    const name = order.isOwn ? order.tool : `mcp__parley__${order.tool}`;
    yield {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: order.ids.at(-1), name, input: {} },
    };
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(order.input) };
    yield { type: 'content_block_delta', index: 0, delta };
  } else {
    yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
    yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done for now.' } };
  }
  yield { type: 'content_block_stop', index: 0 };
  const delta = { stop_reason: order ? 'tool_use' : 'end_turn', stop_sequence: null };
  yield { type: 'message_delta', delta, usage: { output_tokens: 5 } };
  yield { type: 'message_stop' };
}

function* responseEvents(count: number, order: Order | undefined): Generator<Json> {
  const id = `resp_${count}`;
  const namespace = order?.isOwn ? {} : { namespace: 'mcp__parley' };
  const tool = { type: 'function_call', ...namespace, name: order?.tool, call_id: order?.ids.at(-1) };
  const said = { type: 'output_text', text: 'Done for now.', annotations: [] };
  const item = order
    ? { ...tool, id: `fc_${count}`, arguments: JSON.stringify(order.input) }
    : { type: 'message', id: `m_${count}`, role: 'assistant', content: [said] };
  yield { type: 'response.created', response: { id } };
  yield { type: 'response.output_item.done', output_index: 0, item };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  yield { type: 'response.completed', response: { id, output: [item], usage } };
}
