import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, isIPv6, type Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostPort } from '@parley/core';
import type Koa from 'koa';
import { connectionLimit, limitConnections, onRequestEnd } from './connections.ts';
import { holdContinue } from './request-body.ts';
import { headerValues } from './request-head.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ServeOptions {
  readonly host: string;
  /** The port. 0 chooses a free port. */
  readonly port: number;
  /** The Parley service behind the app. When the server closes, this service answers all waiting polls at once. */
  readonly parley?: Pick<HostPort, 'drain'>;
  /**
   * Maximum number of connections. At the maximum, a new connection replaces an idle connection, if possible of the
   * client address with the most connections. If no connection is idle, the new connection is closed. Default: the
   * limit of open files minus 192.
   */
  readonly maxConnections?: number;
  /** Milliseconds that `close` waits for requests that are still being answered. Default 10,000. */
  readonly graceMs?: number;
}

export interface Serving {
  readonly server: Server;
  /** Address of the server, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  /**
   * Lets the service answer all waiting polls, finishes every answer, and closes the port.
   *
   * @param closeDelayMs milliseconds to wait before the port is closed. New requests in this time are answered with
   *   `Connection: close`, so that a proxy sends its next request to another process. Default 0.
   */
  close(closeDelayMs?: number): Promise<void>;
}

const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};
/** Milliseconds without traffic after which a connection is closed. The longest poll is shorter. */
const SILENCE_MS = 90_000;
/**
 * Milliseconds from the last answer to the closing of all connections. In this time, clients can read their last bytes.
 */
const LINGER_MS = 200;

/**
 * Listens with the time limits and size limits of a public server.
 *
 * @throws the listen error, such as EADDRINUSE
 */
export async function serve(app: Koa | Listener, options: ServeOptions): Promise<Serving> {
  const listener: Listener = typeof app === 'function' ? app : app.callback();
  const underWay = new Set<ServerResponse>();
  const server = createServer(TIMEOUTS);
  let isClosing = false;
  server.setTimeout(SILENCE_MS);
  const connectionLimiter = limitConnections(server, options.maxConnections ?? connectionLimit());
  const onRequest: Listener = (request, response) => {
    if (headerValues(request, 'host').length > 1) return refuseHosts(response);
    if (isClosing) response.setHeader('Connection', 'close');
    connectionLimiter.begin(request, response);
    underWay.add(response);
    onRequestEnd(request, response, () => underWay.delete(response));
    listener(request, response);
  };
  server.on('request', onRequest).on('checkExpectation', onRequest);
  server.on('checkContinue', (request, response) => {
    holdContinue(request, response);
    onRequest(request, response);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const twin = await listenOnTwin(server, options.host);
  return {
    server,
    url: urlOf(server, options.host),
    close(closeDelayMs = 0) {
      isClosing = true;
      return close({ server, twin, underWay, closeDelayMs }, options);
    },
  };
}

/** Refuses a request with two Host headers, as Node does with two Content-Length: a proxy may have checked the other one. */
const refuseHosts = (response: ServerResponse): unknown =>
  response.writeHead(400, { Connection: 'close', 'Content-Length': '0' }).end();

const LOOPBACK_TWINS: ReadonlyMap<string, string> = new Map([
  ['127.0.0.1', '::1'],
  ['::1', '127.0.0.1'],
]);
/** Error codes that a machine with only one address family, IPv4 or IPv6, returns for the other family. */
const NO_SUCH_FAMILY = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Also listens on the other loopback address (`::1` beside `127.0.0.1`), because browsers use either one for
 * `localhost`. Otherwise another program could listen there, and get requests for this service.
 *
 * @throws EADDRINUSE if another program listens there
 */
async function listenOnTwin(server: Server, host: string): Promise<TcpServer | undefined> {
  const address = LOOPBACK_TWINS.get(host);
  if (address === undefined) return undefined;
  const twin = createTcpServer({ noDelay: true }, (socket) => void server.emit('connection', socket));
  twin.listen(portOf(server), address);
  try {
    await once(twin, 'listening');
    server.once('close', () => void twin.close());
    return twin;
  } catch (error) {
    if (NO_SUCH_FAMILY.includes(String(Object(error).code))) return undefined;
    server.close();
    throw error;
  }
}

interface Closing {
  readonly server: Server;
  readonly twin: TcpServer | undefined;
  readonly underWay: Set<ServerResponse>;
  readonly closeDelayMs: number;
}

async function close(
  { server, twin, underWay, closeDelayMs }: Closing,
  { parley, graceMs = 10_000 }: ServeOptions,
): Promise<void> {
  const closed = once(server, 'close');
  const deadline = performance.now() + graceMs;
  for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
  const delayed = closeDelayMs > 0 ? delay(closeDelayMs) : undefined;
  const stopListening = (): void => {
    twin?.close();
    server.close();
  };
  if (!delayed) stopListening();
  await parley?.drain();
  if (delayed) {
    await delayed;
    stopListening();
  }
  while (underWay.size > 0 && performance.now() < deadline) await delay(10);
  server.closeIdleConnections();
  await Promise.race([closed, delay(LINGER_MS)]);
  server.closeAllConnections();
  await closed;
}

function urlOf(server: Server, host: string): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${portOf(server)}`;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
