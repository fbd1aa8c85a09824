/**
 * Reads the documents of sessions, such as contract revisions, and caches them. A document is addressed by the hash of its
 * text, so it never changes; the hash is checked when the text is read from the storage.
 */
import { LRUCache } from 'lru-cache';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { ReadDocument } from '../operation/operation.ts';
import { sha256Hex } from '../sha256.ts';
import type { Storage, StoredDocument } from '../storage/storage.ts';

/** Texts by their SHA-256. */
export type DocumentTexts = ReadonlyMap<string, string>;

export interface Documents {
  /**
   * Reads the texts of documents. Returns null if one of them is not stored. Rejects if a stored text does not match its hash.
   */
  read(sessionId: string, hashes: readonly string[]): Promise<DocumentTexts | null>;
  /** Caches documents that an append stored. */
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
    use: () => useOf('documents', cache),
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

/** Returns the function with which an operation reads documents: loaded documents, and documents that its own call stores. */
export function readFrom(texts: DocumentTexts, fresh: readonly StoredDocument[] = []): ReadDocument {
  return (sha256) => {
    const text = texts.get(sha256) ?? fresh.find((document) => document.sha256 === sha256)?.body;
    if (text === undefined)
      throw new Error(`The operation reads the document ${sha256} without naming it in \`documents\`.`);
    return text;
  };
}
