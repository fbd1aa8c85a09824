import { LRUCache } from 'lru-cache';
import { type Call, type Engine, loadState } from '../engine/engine.ts';
import { ParleyError } from '../errors.ts';
import { sha256Hex } from '../log/event.ts';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { Watch } from '../observe/observer.ts';
import type { Folded } from '../operation/domain.ts';
import type { Storage, StoredDocument } from '../storage/storage.ts';

/** Texts by their SHA-256. */
export type DocumentTexts = ReadonlyMap<string, string>;

/** Gives the text of a document that the operation named. Throws for one that it did not name. */
export type ReadDocument = (sha256: string) => string;

/** Large values of sessions, read once and kept: a document never changes. */
export interface Documents {
  /** The texts, or null when one of them is not stored. */
  read(sessionId: string, hashes: readonly string[]): Promise<DocumentTexts | null>;
  keep(sessionId: string, documents: readonly StoredDocument[]): void;
  use(): CacheUse;
}

/** What a document weighs beyond its text. */
const DOCUMENT_BYTES = 200;

export function createDocuments(storage: Storage, maxBytes: number, watch?: Watch): Documents {
  const cache = new LRUCache<string, string>({ maxSize: maxBytes });
  const keep = (sessionId: string, { sha256, body }: StoredDocument): void =>
    void cache.set(`${sessionId}:${sha256}`, body, { size: heapBytes(body) + DOCUMENT_BYTES });

  async function readOne(sessionId: string, sha256: string): Promise<string | null> {
    const known = cache.get(`${sessionId}:${sha256}`);
    watch?.cacheRead('documents', known !== undefined);
    if (known !== undefined) return known;
    const body = await storage.document(sessionId, sha256);
    if (body === null) return null;
    if (sha256Hex(body) !== sha256) throw new Error(`The document ${sha256} was changed where it is stored.`);
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

const NO_TEXTS: DocumentTexts = new Map();

/** A state together with the documents that a call needs on it. */
export interface Furnished<S> {
  readonly state: S;
  readonly texts: DocumentTexts;
}

/**
 * Loads what the operation names. A document that is missing tells that the state known here is no longer the stored
 * one: it is then read anew.
 */
export function furnish<S extends Folded>(
  engine: Engine<S>,
  call: Call<S>,
  state: S,
): Furnished<S> | Promise<Furnished<S>> {
  const { documents, stages } = call.operation;
  return documents || stages ? loadTexts(engine, call, state) : { state, texts: NO_TEXTS };
}

async function loadTexts<S extends Folded>(engine: Engine<S>, call: Call<S>, state: S): Promise<Furnished<S>> {
  const texts = await textsFor(engine, call, state);
  if (texts) return await staged(call, { state, texts });
  const fresh = await loadState(engine, call);
  const found = await textsFor(engine, call, fresh);
  if (found) return await staged(call, { state: fresh, texts: found });
  throw new Error(`A document of session ${call.sessionId} is missing.`);
}

async function textsFor<S extends Folded>(
  engine: Engine<S>,
  { operation, sessionId, input, identify }: Call<S>,
  state: S,
): Promise<DocumentTexts | null> {
  if (!operation.documents) return NO_TEXTS;
  return await engine.documents.read(sessionId, operation.documents(state, input, identify(state)));
}

/** Runs the heavy parts of a call with a turn of the event loop after each. A part that fails fails again in its place. */
async function staged<S extends Folded>(
  { operation, input, identify }: Call<S>,
  furnished: Furnished<S>,
): Promise<Furnished<S>> {
  const { state, texts } = furnished;
  const stages = operation.stages?.(state, input, identify(state), readFrom(texts)) ?? [];
  try {
    for (const _done of stages) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
  }
  return furnished;
}

/** Reads documents that were loaded, and those that this very call stores. */
export function readFrom(texts: DocumentTexts, fresh: readonly StoredDocument[] = []): ReadDocument {
  return (sha256) => {
    const text = texts.get(sha256) ?? fresh.find((document) => document.sha256 === sha256)?.body;
    if (text === undefined) throw new Error(`The document ${sha256} was not asked for.`);
    return text;
  };
}
