import { createHash } from 'node:crypto';
import { diffOps } from '@parley/core';
import { LRUCache } from 'lru-cache';

/** A read, and the earlier answer that the client has. */
interface Reread {
  /**
   * Contains the owner id and the address of the read, so that an answer to another owner or for another address is not
   * used.
   */
  readonly address: string;
  /** The ETag of the client's earlier answer (If-None-Match). Empty if the client has no earlier answer. */
  readonly known: string;
  /** Whether the client accepts the changes as a JSON Patch (A-IM of RFC 3229). */
  readonly takesPatch: boolean;
}

/**
 * The answer to a read: the whole answer (200), only its changes (226), or an empty text because nothing has changed
 * (304).
 */
export interface Reanswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Decides what is sent for a read. `text` is the whole current answer. */
export type Rereads = (read: Reread, text: string) => Reanswer;

/** Maximum total size of the stored answers, in bytes. Above this size, the least recently used answers are removed. */
const MOST_BYTES = 32_000_000;

/**
 * Creates the function that answers repeated reads, such as the reads of the console after each event (RFC 3229).
 * Stores the answers that this process has sent. If the answer with the client's ETag is stored and its changes are
 * shorter than the current answer, only the changes are sent.
 */
export function createRereads(): Rereads {
  const sent = new LRUCache<string, string>({ maxSize: MOST_BYTES, sizeCalculation: ({ length }) => 2 * length + 200 });
  return ({ address, known, takesPatch }, text) => {
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    if (known === etag) return { status: 304, headers: { ETag: etag }, text: '' };
    if (!takesPatch) return { status: 200, headers: { ETag: etag }, text };
    const base = sent.get(`${address} ${known}`);
    sent.set(`${address} ${etag}`, text);
    const patch = base === undefined ? text : JSON.stringify(diffOps(JSON.parse(base), JSON.parse(text)));
    if (patch.length >= text.length) return { status: 200, headers: { ETag: etag }, text };
    return { status: 226, headers: { ETag: etag, IM: 'json-patch', 'Delta-Base': known }, text: patch };
  };
}
