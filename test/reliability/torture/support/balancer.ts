import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FrontDoor } from './proxy.ts';

/** A failed process gets no requests for this time, as with nginx's `fail_timeout`. */
const OUT_MS = 2_000;

interface Upstream {
  readonly address: string;
  outUntil: number;
}

/**
 * A load balancer that behaves like nginx with `deploy/nginx.conf`:
 *
 * - It selects processes round-robin, and excludes a failed process for two seconds.
 * - It repeats a request at the next process if the first did not receive it.
 * - It also repeats a read if the process broke the connection or answered 503.
 * - It does not repeat a POST that a process may have received, and answers 502.
 */
export async function openBalancer(processes: readonly string[]): Promise<FrontDoor> {
  const upstreams: Upstream[] = processes.map((address) => ({ address, outUntil: 0 }));
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  let turn = 0;

  function candidates(): Upstream[] {
    turn += 1;
    const inTurn = upstreams.map((_, index) => upstreams[(turn + index) % upstreams.length]);
    const known = inTurn.filter((one) => one !== undefined);
    const well = known.filter(({ outUntil }) => outUntil < performance.now());
    return well.length > 0 ? well : known;
  }

  async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const isRead = asked.method === 'GET' || asked.method === 'HEAD';
    const left = candidates();
    for (const upstream of left) {
      const isLast = upstream === left.at(-1);
      const outcome = await pass({ asked, body, upstream, agent, answer });
      if (outcome === 'client left') return;
      if (typeof outcome === 'object') {
        if (outcome.statusCode === 503) upstream.outUntil = performance.now() + OUT_MS;
        if (outcome.statusCode === 503 && isRead && !isLast) {
          outcome.resume();
          continue;
        }
        answer.writeHead(outcome.statusCode ?? 502, outcome.headers);
        outcome.on('error', () => answer.destroy());
        return void outcome.pipe(answer);
      }
      upstream.outUntil = performance.now() + OUT_MS;
      if (outcome === 'broken' && !isRead) break;
    }
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
  }

  const server = createServer({ keepAliveTimeout: 75_000 }, (asked, answer) => {
    forward(asked, answer).catch(() => answer.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    name: 'the balancer of this stage, in the place of nginx',
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}

interface Passing {
  readonly asked: IncomingMessage;
  readonly body: Buffer;
  readonly upstream: Upstream;
  readonly agent: Agent;
  readonly answer: ServerResponse;
}

/** `refused`: the process did not get the request. `broken`: the process may have got the request. */
type Passed = IncomingMessage | 'refused' | 'broken' | 'client left';

function pass({ asked, body, upstream, agent, answer }: Passing): Promise<Passed> {
  return new Promise((resolve) => {
    const [host = '', port = ''] = upstream.address.split(':');
    const { method, url: path } = asked;
    const { connection: _, ...headers } = asked.headers;
    const sent = request({ agent, host, port, method, path, headers }, resolve);
    const onLeave = (): void => {
      if (answer.writableFinished) return;
      sent.destroy();
      resolve('client left');
    };
    answer.once('close', onLeave);
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken'));
    sent.end(body);
  });
}
