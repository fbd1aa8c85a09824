import { ParleyError } from '../errors.ts';
import type { LoggedEvent } from '../log/event.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import { type Engine, loadState } from './engine.ts';

const NO_TEXTS: DocumentTexts = new Map();

interface StateWithDocuments<S> {
  readonly state: S;
  readonly texts: DocumentTexts;
}

/** A state with what `decide`, or the reply of a read, needs besides. */
export interface StateWithEvents<S> extends StateWithDocuments<S> {
  /** The events that the operation selected with `reads`. */
  readonly events: readonly LoggedEvent[];
}

/** Loads the documents and the events that the operation needs, and runs its expensive steps. */
export async function loadSources<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  known: S,
): Promise<StateWithEvents<S>> {
  const { state, texts } = await loadDocuments(engine, call, known);
  const seqs = call.operation.reads?.(state, call.input, call.identify(state)) ?? [];
  return { state, texts, events: seqs.length > 0 ? await engine.sessions.read(call.sessionId, seqs) : [] };
}

/**
 * Loads the documents that the operation needs, then runs its expensive steps. If a document is not stored, the cached
 * state is stale: loads the state again and tries once more.
 */
function loadDocuments<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  state: S,
): StateWithDocuments<S> | Promise<StateWithDocuments<S>> {
  const { documents, precompute } = call.operation;
  return documents || precompute ? loadTexts(engine, call, state) : { state, texts: NO_TEXTS };
}

async function loadTexts<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  state: S,
): Promise<StateWithDocuments<S>> {
  const texts = await textsFor(engine, call, state);
  if (texts) return await precompute(call, { state, texts });
  const fresh = await loadState(engine, call);
  const found = await textsFor(engine, call, fresh);
  if (found) return await precompute(call, { state: fresh, texts: found });
  throw new Error(`A document of session ${call.sessionId} is missing.`);
}

async function textsFor<S extends SessionRoot>(
  engine: Engine<S>,
  { operation, sessionId, input, identify }: Call<S>,
  state: S,
): Promise<DocumentTexts | null> {
  if (!operation.documents) return NO_TEXTS;
  return await engine.documents.read(sessionId, operation.documents(state, input, identify(state)));
}

/**
 * Runs the expensive steps of an operation, and lets the event loop run after each step. Refusals of a step are ignored, because
 * `decide` or `reply` runs the step again and throws the same error.
 */
async function precompute<S extends SessionRoot>(
  { operation, input, identify }: Call<S>,
  loaded: StateWithDocuments<S>,
): Promise<StateWithDocuments<S>> {
  const { state, texts } = loaded;
  const parts = operation.precompute?.(state, input, identify(state), readFrom(texts)) ?? [];
  try {
    for (const _done of parts) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
  }
  return loaded;
}
