import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Departure } from '@parley/core';
import { addressGroup, parseAddress } from './request-head.ts';

type Over = (isAnswered: boolean) => void;

/** A request whose answer was not sent yet, and the callbacks for its end. */
interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  callbacks: readonly Over[];
}

/**
 * The open requests of each connection, in the order of their arrival. The closing of the connection calls their callbacks, because
 * Node does not report the end of every request. A held poll is an open request for a long time, so all connections share the
 * listeners, and a list is copied when it grows: `push` would reserve room for 16 more.
 */
const openRequests = new WeakMap<Socket, readonly OpenRequest[]>();

const openOn = (socket: Socket): readonly OpenRequest[] => openRequests.get(socket) ?? [];

/** Calls `over` once: with true when the answer was sent, or with false when the client disconnected before that. */
export function onRequestEnd(request: IncomingMessage, response: ServerResponse, over: Over): void {
  const { socket } = request;
  if (socket.destroyed) {
    over(false);
    return;
  }
  const open = openOn(socket);
  const known = open.findLast((one) => one.response === response);
  if (known) {
    known.callbacks = [...known.callbacks, over];
    return;
  }
  if (!openRequests.has(socket)) socket.on('close', endUnanswered);
  openRequests.set(socket, [...open, { request, response, callbacks: [over] }]);
  response.on('finish', endAnswered);
}

function endAnswered(this: ServerResponse): void {
  const { socket } = this.req;
  const ended = openOn(socket).find(({ response }) => response === this);
  if (ended === undefined) return;
  openRequests.set(
    socket,
    openOn(socket).filter((one) => one !== ended),
  );
  for (const over of ended.callbacks) over(true);
}

function endUnanswered(this: Socket): void {
  const open = openOn(this);
  openRequests.set(this, []);
  for (const { callbacks } of open) for (const over of callbacks) over(false);
}

/**
 * Reports that a client disconnected before its answer was sent. Used instead of an `AbortController`, which would take
 * more memory for each request.
 */
export class ClientDeparture implements Departure {
  #isGone = false;
  #listeners: readonly (() => void)[] = [];

  constructor(request: IncomingMessage, response: ServerResponse) {
    onRequestEnd(request, response, (isAnswered) => {
      const listeners = this.#listeners;
      this.#listeners = [];
      if (isAnswered) return;
      this.#isGone = true;
      for (const listener of listeners) listener();
    });
  }

  get aborted(): boolean {
    return this.#isGone;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }
}

/** Number of file descriptors that are kept free for the database, the log and connections to other services. */
const RESERVED = 192;
/** The maximum number of connections is at least this number, even if the limit of open files is very low. */
const LEAST = 32;

/**
 * Returns the maximum number of connections that leaves `RESERVED` file descriptors free. Without free descriptors, the
 * embedded database cannot open its files.
 *
 * @param limit maximum number of open files, from Node's process report; a value that is not a number means no limit
 */
export const connectionsWithin = (limit: unknown): number =>
  typeof limit === 'number' ? Math.max(LEAST, limit - RESERVED) : Number.POSITIVE_INFINITY;

/**
 * Returns the maximum number of connections of this process. Reads the soft limit of open files, which Node raises to
 * the hard limit when it starts.
 */
export function connectionLimit(): number {
  const { userLimits } = Object(process.report.getReport());
  return connectionsWithin(userLimits?.open_files?.soft);
}

/**
 * The reason why the server disconnected a client.
 *
 * - `client_bytes`: this client left too many bytes of answers unread.
 * - `process_bytes`: all clients together left too many bytes of answers unread.
 * - `stalled`: the client read nothing for too long.
 * - `unfinished_bodies`: the unfinished bodies of all clients together were too large, and this client's body was
 *   the oldest.
 */
export type CutOff = 'client_bytes' | 'process_bytes' | 'stalled' | 'unfinished_bodies';

const cutOffs = new WeakMap<Socket, CutOff>();

/**
 * Returns why the server closed the connection of a request. Undefined if the client closed the connection, or if the
 * connection is open.
 */
export const cutOffOf = ({ socket }: IncomingMessage): CutOff | undefined => cutOffs.get(socket);

/**
 * Resets a connection. The operating system then also drops the bytes that it buffers for the connection. A connection
 * that is not TCP has no reset and is closed.
 */
export function cutOff(socket: Socket, reason: CutOff): void {
  cutOffs.set(socket, reason);
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}

interface ConnectionLimiter {
  /**
   * Must be called for each request. The request's connection counts as in use, not as idle, from the end of the
   * request's body until the answer is sent. Before, the server still waits for the client.
   */
  begin(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Limits the number of connections of a server. A connection is idle while the server waits for its client: for a
 * request, for the rest of a request's head, or for the rest of a body. When a new connection exceeds the limit, one
 * connection is closed, the first of these that exists:
 *
 * - the least recently used idle connection of the address with the most connections, so that a client which opens many
 *   connections loses its own ones;
 * - the least recently used idle connection of the address from which the new connection comes;
 * - the new connection.
 */
export function limitConnections(server: Server, most: number): ConnectionLimiter {
  const addressOf = new Map<Socket, string>();
  const groups = new Map<string, Set<Socket>>();

  const add = (socket: Socket, address: string): Set<Socket> => {
    const group = (groups.get(address) ?? new Set()).add(socket);
    addressOf.set(socket, address);
    groups.set(address, group);
    return group;
  };
  const remove = (socket: Socket): void => {
    const address = addressOf.get(socket);
    if (address === undefined) return;
    addressOf.delete(socket);
    const group = groups.get(address);
    group?.delete(socket);
    if (group?.size === 0) groups.delete(address);
  };
  function removeClosed(this: Socket): void {
    remove(this);
  }
  const touch = (socket: Socket): void => {
    const address = addressOf.get(socket);
    if (address === undefined) return;
    groups.get(address)?.delete(socket);
    add(socket, address);
  };
  const waitsForClient = (socket: Socket): boolean => openOn(socket).every(({ request }) => !request.complete);
  const leastUsed = (group: Iterable<Socket>, newest: Socket): Socket | undefined => {
    for (const socket of group) if (socket !== newest && waitsForClient(socket)) return socket;
    return undefined;
  };

  server.on('connection', (socket: Socket) => {
    const own = add(socket, parsedAddress(socket));
    socket.on('close', removeClosed);
    if (addressOf.size <= most) return;
    const leaving = leastUsed(largestOf(groups.values()), socket) ?? leastUsed(own, socket) ?? socket;
    remove(leaving);
    leaving.destroy();
  });

  return {
    begin(request, response) {
      const { socket } = request;
      touch(socket);
      onRequestEnd(request, response, () => touch(socket));
    },
  };
}

const parsedAddress = ({ remoteAddress = '' }: Socket): string => addressGroup(parseAddress(remoteAddress) ?? 'local');

function largestOf(groups: Iterable<Set<Socket>>): Set<Socket> {
  let largest = new Set<Socket>();
  for (const group of groups) if (group.size > largest.size) largest = group;
  return largest;
}

export interface OutboxLimits {
  /** Maximum unsent bytes of one client. A client is a token, or an address for requests without a token. */
  readonly perClientBytes: number;
  readonly perProcessBytes: number;
  /** Milliseconds after which a connection is closed if no byte of its unread answers was sent. */
  readonly stallMs: number;
}

const OUTBOX_LIMITS: OutboxLimits = { perClientBytes: 8_000_000, perProcessBytes: 64_000_000, stallMs: 30_000 };

export interface Outgoing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /**
   * Returns the key under which the client's unsent bytes are counted: its token, otherwise its address. Called only if
   * some bytes could not be sent at once.
   */
  readonly client: () => string;
}

/** Sends answers, and disconnects clients that do not read them. */
export interface Outbox {
  /** Sends the body and ends the answer. The headers must have been written before. */
  send(outgoing: Outgoing, body: string | Buffer): void;
  /** Counts the unsent bytes of an answer that other code writes, such as a stream. Stops when the answer ends. */
  watch(outgoing: Outgoing): void;
}

/** A longer body is passed to Node in pieces of this size, so that the outbox can count how much of it was sent. */
const PIECE_BYTES = 65_536;

/**
 * Creates an outbox.
 *
 * @param limits defaults: 8 MB for a client, 64 MB for all clients together, 30 seconds without a byte sent
 */
export function createOutbox(limits: Partial<OutboxLimits> = {}): Outbox {
  const held = createHeld({ ...OUTBOX_LIMITS, ...limits });
  return {
    send(outgoing, body) {
      const { request, response } = outgoing;
      if (request.socket.destroyed) {
        response.end();
        return;
      }
      if (body.length > PIECE_BYTES) {
        const rest = writePieces(response, typeof body === 'string' ? Buffer.from(body) : body);
        held.hold(outgoing, () => rest() + response.writableLength);
        return;
      }
      response.end(body);
      if (response.writableLength > 0) held.hold(outgoing, () => response.writableLength);
    },
    watch: (outgoing) => held.hold(outgoing, () => outgoing.response.writableLength),
  };
}

/** The outbox that all hosts of this process share by default. */
export const processOutbox = createOutbox();

/**
 * Writes a body in pieces. Each piece is written when the previous piece was sent.
 *
 * @returns a function that returns the number of bytes not yet passed to Node
 */
function writePieces(response: ServerResponse, bytes: Buffer): () => number {
  let written = 0;
  const writeOn = (): void => {
    while (written < bytes.length) {
      const piece = bytes.subarray(written, written + PIECE_BYTES);
      written += piece.length;
      if (written === bytes.length) {
        response.end(piece);
      } else if (!response.write(piece)) {
        response.once('drain', writeOn);
        return;
      }
    }
  };
  writeOn();
  return () => bytes.length - written;
}

/** An answer that is not completely sent yet, because its client has not read all of it. */
interface Held {
  readonly client: string;
  readonly socket: Socket;
  readonly unsent: () => number;
  /** Number of unsent bytes when they were last counted. */
  bytes: number;
  /**
   * At the last check that found progress: `gone` is the number of bytes sent on the connection so far, and `since` is
   * the time in milliseconds.
   */
  gone: number;
  since: number;
}

interface HeldAnswers {
  hold(outgoing: Outgoing, unsent: () => number): void;
}

/** Milliseconds between two checks of all unsent answers. */
const LOOK_MS = 100;
/**
 * A client above a limit is disconnected at the next check. If it exceeds twice the limit, it is disconnected at once.
 */
const AT_ONCE = 2;

function createHeld({ perClientBytes, perProcessBytes, stallMs }: OutboxLimits): HeldAnswers {
  const all = new Set<Held>();
  const ledger = createLedger();
  let timer: ReturnType<typeof setInterval> | undefined;

  const release = (held: Held): void => {
    if (!all.delete(held)) return;
    ledger.count(held, 0);
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const cut = (held: Held, reason: CutOff): void => {
    for (const other of all) if (other.socket === held.socket) release(other);
    cutOff(held.socket, reason);
  };
  /**
   * Closes connections until no limit, multiplied by `factor`, is exceeded. If one client exceeds its limit, closes the
   * connections of its newest answers. If all clients together exceed their limit, closes all connections of the client
   * with the most unsent bytes.
   */
  const keepWithin = (factor: number): void => {
    for (const held of [...all].reverse())
      if (ledger.of(held.client) > factor * perClientBytes) cut(held, 'client_bytes');
    while (ledger.total() > factor * perProcessBytes) {
      const most = ledger.most();
      for (const held of all) if (held.client === most) cut(held, 'process_bytes');
    }
  };
  const look = (): void => {
    const now = performance.now();
    for (const held of all) {
      ledger.count(held, held.unsent());
      if (hasMoved(held, now)) continue;
      if (now - held.since >= stallMs) cut(held, 'stalled');
    }
    keepWithin(1);
  };

  return {
    hold({ request, response, client }, unsent) {
      const { socket } = request;
      const held = { client: client(), socket, unsent, bytes: 0, gone: goneFrom(socket), since: performance.now() };
      all.add(held);
      ledger.count(held, unsent());
      timer ??= setInterval(look, LOOK_MS).unref();
      onRequestEnd(request, response, () => release(held));
      keepWithin(AT_ONCE);
    },
  };
}

/** Whether the connection has sent bytes since the last check, or had none to send at the last check. */
function hasMoved(held: Held, now: number): boolean {
  const gone = goneFrom(held.socket);
  if (held.bytes > 0 && gone === held.gone) return false;
  held.gone = gone;
  held.since = now;
  return true;
}

function createLedger() {
  const bytesOf = new Map<string, number>();
  let total = 0;
  return {
    count(held: Held, bytes: number): void {
      const sum = (bytesOf.get(held.client) ?? 0) + bytes - held.bytes;
      total += bytes - held.bytes;
      held.bytes = bytes;
      if (sum > 0) bytesOf.set(held.client, sum);
      else bytesOf.delete(held.client);
    },
    of: (client: string): number => bytesOf.get(client) ?? 0,
    total: (): number => total,
    most: (): string | undefined => [...bytesOf].toSorted(([, a], [, b]) => b - a)[0]?.[0],
  };
}

/** Returns the number of bytes that the connection has sent. */
const goneFrom = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
