import { ERROR_KINDS, type ErrorCode } from './error-kinds.ts';

/**
 * Additional members of the error body, such as `next_agent` or `retry_after_seconds`. A `hint` in the details replaces
 * the hint of the code.
 */
export type ErrorDetails = Readonly<Record<string, unknown>> & { readonly hint?: string };

export interface ErrorBody extends ErrorDetails {
  readonly ok: false;
  readonly error: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** An error that is sent to the caller. Any other error is sent as `INTERNAL`, without its text. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get status(): number {
    return ERROR_KINDS[this.code].status;
  }

  /** The JSON-RPC number. Undefined for an error that MCP reports as a tool result. */
  get jsonRpc(): number | undefined {
    return ERROR_KINDS[this.code].jsonRpc;
  }

  /** Seconds for a Retry-After header; undefined if the error has none. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.details.retry_after_seconds;
    return typeof seconds === 'number' ? seconds : undefined;
  }

  /** The error body that is sent (specification part 7). */
  body(): ErrorBody {
    const { hint = ERROR_KINDS[this.code].hint, ...details } = this.details;
    return { ...details, ok: false, error: this.code, message: this.message, hint };
  }
}

/**
 * The error of a request without credentials. The WWW-Authenticate header of its answer contains no error code, as RFC 6750
 * (section 3.1) requires.
 */
export class CredentialsMissing extends ParleyError {
  constructor(message: string, details?: ErrorDetails) {
    super('UNAUTHORIZED', message, details);
  }
}

export function fail(code: ErrorCode, message: string, details?: ErrorDetails): never {
  throw new ParleyError(code, message, details);
}
