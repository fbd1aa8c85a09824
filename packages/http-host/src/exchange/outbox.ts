import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type CutOff, cutOff, onRequestEnd } from '../connections/connections.ts';

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
