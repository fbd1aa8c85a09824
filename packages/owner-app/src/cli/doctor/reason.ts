/**
 * The message of an error with its code. If the error has a cause, returns the message and the code of the cause,
 * because only the cause of a `fetch` error says why the request failed.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const text = error.message || code || error.name;
  return code && !text.includes(code) ? `${text} (${code})` : text;
}
