/**
 * Reads the documents of sessions, such as contract revisions, and caches them. The key of a document is the hash of its
 * text, so a document never changes. A text that the storage returns is compared with its hash.
 */
import { LRUCache } from 'lru-cache';
import { type CacheUse, cacheUseOf, heapBytes } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { ReadDocument } from '../operation/operation.ts';
import type { Storage, StoredDocument } from '../storage/storage.ts';
import { sha256Hex } from '../text/sha256.ts';

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
