import { ParleyError } from '../errors.ts';
import type { Call } from '../operation/call.ts';
import type { Folded } from '../operation/domain.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import { type Engine, loadState } from './engine.ts';

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
