import { CredentialsMissing, ParleyError } from '../errors.ts';
import { OutcomeUnknown, StorageFull, StorageUnavailable } from '../storage/storage.ts';
import { type RandomBytes, randomText } from '../token/token.ts';
import type { Answer } from './host-port.ts';

/** Called for every failure of the service or its storage, with the original error. */
export type FailureListener = (cause: unknown, traceId: string) => void;

/** Returns a function that converts any thrown value to a ParleyError. The texts of unknown errors are never sent. */
export function createErrorTranslator(
  random: RandomBytes,
  onFailure: FailureListener,
): (thrown: unknown) => ParleyError {
  return (thrown) => {
    if (thrown instanceof ParleyError && !isUnreportedFault(thrown)) return thrown;
    const trace_id = randomText(random, 12);
    onFailure(thrown, trace_id);
    if (thrown instanceof ParleyError)
      return new ParleyError(thrown.code, thrown.message, { ...thrown.details, trace_id }, { cause: thrown });
    if (thrown instanceof StorageUnavailable || thrown instanceof OutcomeUnknown) {
      const isFull = thrown instanceof StorageFull;
      const message = isFull
        ? 'The storage is full: nothing can be written.'
        : 'The storage cannot be reached at present.';
      return new ParleyError('STORAGE_UNAVAILABLE', message, {
        retry_after_seconds: 2,
        trace_id,
      });
    }
    return new ParleyError('INTERNAL', 'The service failed on this request.', { trace_id });
  };
}

const FAULTS: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE', 'LOG_BROKEN']);

/** Whether an error is a failure of the service that was not reported yet. A reported error has a `trace_id`. */
const isUnreportedFault = ({ code, details }: ParleyError): boolean =>
  FAULTS.has(code) && details.trace_id === undefined;

/** The HTTP headers that belong to an error, over REST and over MCP. */
export function errorHeaders(error: ParleyError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers['WWW-Authenticate'] = challengeOf(error);
  if (error.code === 'UNSUPPORTED_ENCODING') headers['Accept-Encoding'] = 'identity';
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  if (Array.isArray(error.details.allow)) headers.Allow = error.details.allow.join(', ');
  return headers;
}

const challengeOf = (error: ParleyError): string =>
  error instanceof CredentialsMissing ? 'Bearer realm="parley"' : 'Bearer realm="parley", error="invalid_token"';

export const errorAnswer = (error: ParleyError): Answer => ({
  status: error.status,
  body: JSON.stringify(error.body()),
  headers: errorHeaders(error),
});
