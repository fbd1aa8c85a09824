import { ParleyError } from '../errors.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import { type Engine, loadState } from './engine.ts';

const NO_TEXTS: DocumentTexts = new Map();

export interface StateWithDocuments<S> {
  readonly state: S;
  readonly texts: DocumentTexts;
}

/**
 * Loads the documents that the operation needs, then runs its expensive steps. If a document is not stored, the cached
 * state is stale: loads the state again and tries once more.
 */
export function loadDocuments<S extends SessionRoot>(
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
