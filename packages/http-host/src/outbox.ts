import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type CutOff, cutOff } from './cut-off.ts';
import { onRequestEnd } from './on-request-end.ts';

/** What clients that do not read their answers may make this process hold. */
export interface OutboxLimits {
  /** Unsent bytes of one token, or of one address without a token. */
  readonly perClientBytes: number;
  readonly perProcessBytes: number;
  /** How long nothing of what waits on a connection may go out. */
  readonly stallMs: number;
}

const OUTBOX_LIMITS: OutboxLimits = { perClientBytes: 8_000_000, perProcessBytes: 64_000_000, stallMs: 30_000 };

/** One answer, and the connection it goes out on. */
export interface Outgoing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whose unsent bytes are counted together: a token, else an address. Asked only where bytes are left unsent. */
  readonly client: () => string;
}

/** Sends answers, and cuts off who does not read them. */
export interface Outbox {
  /** Sends the body, after the head, and ends the answer. */
  send(outgoing: Outgoing, body: string): void;
  /** Counts what an answer leaves unsent that something else writes, such as a stream, until it is over. */
  watch(outgoing: Outgoing): void;
}

/** Longer bodies are handed to Node by pieces, so that it is seen whether they go out. */
const PIECE_BYTES = 65_536;

/** @param limits 8 MB for a client, 64 MB for all, 30 seconds without progress */
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
        const rest = writePieces(response, Buffer.from(body));
        held.hold(outgoing, () => rest() + response.writableLength);
        return;
      }
      response.end(body);
      if (response.writableLength > 0) held.hold(outgoing, () => response.writableLength);
    },
    watch: (outgoing) => held.hold(outgoing, () => outgoing.response.writableLength),
  };
}

/** The one of this process. */
export const processOutbox = createOutbox();

/** @returns the bytes that were not handed over yet */
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

/** An answer of which something waits to be read. */
interface Held {
  readonly client: string;
  readonly socket: Socket;
  /** Bytes that have not gone out. */
  readonly unsent: () => number;
  /** What `unsent` was when it was last counted. */
  bytes: number;
  /** Bytes that the connection had taken when some went out last, and when that was. */
  gone: number;
  since: number;
}

interface HeldAnswers {
  hold(outgoing: Outgoing, unsent: () => number): void;
}

/** How often what is held is looked at: an answer to a client that reads is gone by then, or on its way. */
const LOOK_MS = 100;
/** So many times a limit is too much at any moment. */
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
  /** The newest answers of a client go until the others are within its limit; of all, those of who holds most. */
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

/** Whether bytes went out since it was looked at last, or none are left. */
function hasMoved(held: Held, now: number): boolean {
  const gone = goneFrom(held.socket);
  if (held.bytes > 0 && gone === held.gone) return false;
  held.gone = gone;
  held.since = now;
  return true;
}

/** Unsent bytes by client, and of all. */
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

/** Bytes that the connection has taken in all. */
const goneFrom = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
