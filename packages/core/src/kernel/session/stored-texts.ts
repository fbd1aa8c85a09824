import { LRUCache } from 'lru-cache';
import { EVENTS_PER_READ, MAX_ANSWER_BYTES } from '../limits.ts';
import { type LoggedEvent, readEvent, readIntactEvent, type StoredEvent } from '../log/event.ts';
import { type CacheUse, cacheUseOf, heapBytes, type SafeObserver } from '../observe/observer.ts';
import type { ReadDocument } from '../operation/operation.ts';
import type { Storage, StoredDocument } from '../storage/storage.ts';
import { sha256Hex } from '../text/hash.ts';

/**
 * Reads the documents of sessions, such as contract revisions, and caches them. The key of a document is the hash of its
 * text, so a document never changes. A text that the storage returns is compared with its hash.
 *
 * Also reads stored events by their numbers and caches their texts. Parsed events are not cached, because they can take twenty times
 * the memory.
 */

export type DocumentTexts = ReadonlyMap<string, string>;

export interface Documents {
  /**
   * Reads the texts of documents. Returns null if a document is not stored. Rejects if a stored text does not match its
   * hash.
   */
  read(sessionId: string, hashes: readonly string[]): Promise<DocumentTexts | null>;
  keep(sessionId: string, documents: readonly StoredDocument[]): void;
  use(): CacheUse;
}

/** Bytes that the cache counts for a document in addition to its text. */
const DOCUMENT_BYTES = 200;

export function createDocuments(storage: Storage, maxBytes: number, observer?: SafeObserver): Documents {
  const cache = new LRUCache<string, string>({ maxSize: maxBytes });
  const keep = (sessionId: string, { sha256, body }: StoredDocument): void =>
    void cache.set(`${sessionId}:${sha256}`, body, { size: heapBytes(body) + DOCUMENT_BYTES });

  async function readOne(sessionId: string, sha256: string): Promise<string | null> {
    const known = cache.get(`${sessionId}:${sha256}`);
    observer?.cacheRead('documents', known !== undefined);
    if (known !== undefined) return known;
    const body = await storage.document(sessionId, sha256);
    if (body === null) return null;
    if (sha256Hex(body) !== sha256)
      throw new Error(`The stored document ${sha256} was modified: its hash does not match.`);
    keep(sessionId, { sha256, body });
    return body;
  }

  return {
    use: () => cacheUseOf('documents', cache),
    keep: (sessionId, documents) => {
      for (const document of documents) keep(sessionId, document);
    },
    async read(sessionId, hashes) {
      const texts = new Map<string, string>();
      for (const sha256 of hashes) {
        const body = await readOne(sessionId, sha256);
        if (body === null) return null;
        texts.set(sha256, body);
      }
      return texts;
    },
  };
}

/**
 * Returns a function that finds the text of a document by its hash.
 *
 * @param texts the documents that were loaded for the call
 * @param fresh the documents that the call stores
 */
export function readFrom(texts: DocumentTexts, fresh: readonly StoredDocument[] = []): ReadDocument {
  return (sha256) => {
    const text = texts.get(sha256) ?? fresh.find((document) => document.sha256 === sha256)?.body;
    if (text === undefined)
      throw new Error(`The operation reads the document ${sha256} without naming it in \`documents\`.`);
    return text;
  };
}

/**
 * A log as this process has read it. If a failover removes events from the end of the log, `branch` changes. If `branch` is
 * undefined, no events are cached.
 */
interface LogBranch {
  readonly sessionId: string;
  readonly branch: number | undefined;
}

export interface EventCache {
  /**
   * Reads stored events by number, and returns them in the order of `seqs`. Reads the lowest numbers first. Stops when
   * the texts together reach the maximum length of an answer. Ignores numbers that no event has.
   *
   * @throws ParleyError LOG_BROKEN for an event whose text does not match its hash
   */
  read(log: LogBranch, seqs: readonly number[]): Promise<LoggedEvent[]>;
  keep(log: LogBranch, stored: StoredEvent): void;
  use(): CacheUse;
}

/** Bytes that the cache counts for an event in addition to its text. */
const EVENT_BYTES = 200;

export function createEventCache(storage: Storage, maxBytes: number, observer?: SafeObserver): EventCache {
  const cache = new LRUCache<string, StoredEvent>({ maxSize: maxBytes });
  const keyOf = ({ sessionId, branch }: LogBranch, seq: number): string => `${sessionId}:${branch}:${seq}`;

  const keep = (log: LogBranch, stored: StoredEvent): void => {
    const size = heapBytes(stored.body) + EVENT_BYTES;
    if (log.branch !== undefined) cache.set(keyOf(log, stored.seq), stored, { size });
  };

  return {
    keep,
    use: () => cacheUseOf('events', cache),
    async read(log, seqs) {
      const fetched = new Map<number, Found>();
      const events = new Map<number, LoggedEvent>();
      const ascending = seqs.toSorted((one, other) => one - other);
      let left = MAX_ANSWER_BYTES;
      for (const [index, seq] of ascending.entries()) {
        if (left <= 0) break;
        const cached = cache.get(keyOf(log, seq));
        observer?.cacheRead('events', cached !== undefined);
        if (!cached && !fetched.has(seq)) {
          for (const stored of await storage.events(log.sessionId, seq, endOfRange(ascending, index), left)) {
            fetched.set(stored.seq, { event: readIntactEvent(stored), stored });
            keep(log, stored);
          }
        }
        const found: Found | undefined = cached ? { event: readEvent(cached), stored: cached } : fetched.get(seq);
        if (!found) continue;
        events.set(seq, found.event);
        left -= Buffer.byteLength(found.stored.body);
      }
      return seqs.flatMap((seq) => events.get(seq) ?? []);
    },
  };
}

interface Found {
  readonly event: LoggedEvent;
  readonly stored: StoredEvent;
}

/**
 * Returns the number of the last event in the range that begins at `seqs[index]`. The storage reads a range in one
 * call. A range ends where the next number is more than 8 higher, and spans at most 500 events.
 */
function endOfRange(seqs: readonly number[], index: number): number {
  const from = seqs[index] ?? 0;
  let to = from;
  for (const seq of seqs.slice(index + 1)) {
    if (seq - to > 8 || seq - from >= EVENTS_PER_READ) break;
    to = seq;
  }
  return to;
}
