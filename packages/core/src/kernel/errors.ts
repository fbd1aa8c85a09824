interface ErrorKind {
  /** HTTP status over REST. Over MCP a refused operation answers 200 with `isError`. */
  readonly status: number;
  /** JSON-RPC number if the MCP endpoint answers with a protocol error instead of a tool result. */
  readonly jsonRpc?: number;
  /** The caller's next call. */
  readonly hint: string;
}

const kinds = <K extends string>(table: Record<K, ErrorKind>): Record<K, ErrorKind> => table;

/** Every error code of the service. A code that is missing here does not compile. */
export const ERROR_KINDS = kinds({
  // The request
  INVALID_JSON: { status: 400, jsonRpc: -32700, hint: 'Send one JSON object as the body.' },
  UNSUPPORTED_ENCODING: {
    status: 415,
    jsonRpc: -32600,
    hint: 'Send the body as it is, in UTF-8, without the header Content-Encoding.',
  },
  BODY_TOO_LARGE: { status: 413, jsonRpc: -32600, hint: 'Keep the body at or below 200,000 characters.' },
  BATCH_FULL: {
    status: 413,
    jsonRpc: -32013,
    hint: 'Send this request and those after it in another batch, or alone; none of them was executed.',
  },
  INVALID_INPUT: { status: 422, hint: 'Correct the fields named in issues and send the call again.' },
  NOT_FOUND: { status: 404, hint: 'Use a route or tool of the interface; read_task lists the way to work.' },
  METHOD_NOT_ALLOWED: { status: 405, jsonRpc: -32600, hint: 'Use one of the methods named in the Allow header.' },
  RATE_LIMITED: { status: 429, jsonRpc: -32029, hint: 'Wait retry_after_seconds, then send the call again.' },
  CROSS_SITE_REFUSED: {
    status: 403,
    hint: 'Send it from a program, such as parley connect, and not from a web page.',
  },
  HOST_NOT_SERVED: {
    status: 421,
    hint: 'Use the address that the owner gave you. An operator adds a name with PARLEY_HOSTS (--hosts).',
  },

  // The caller
  UNAUTHORIZED: {
    status: 401,
    jsonRpc: -32001,
    hint: 'Send the token of this session, whole and unchanged; without one, redeem an invitation of the owner.',
  },
  TOKEN_REVOKED: { status: 401, jsonRpc: -32001, hint: 'Ask the owner for a new invitation and redeem it.' },
  TOKEN_EXPIRED: {
    status: 401,
    jsonRpc: -32001,
    hint: 'Ask the owner for a new invitation and redeem it; nothing is lost.',
  },
  INVITATION_INVALID: {
    status: 404,
    hint: 'Ask the owner for a new invitation; a code works once and for seven days.',
  },
  WRONG_SESSION: { status: 403, hint: 'Use the session_id that came with the token.' },
  MODERATOR_FORBIDDEN: {
    status: 403,
    hint: 'A moderator asks, raises findings and recommends; it does not act as a builder.',
  },
  BUILDER_FORBIDDEN: { status: 403, hint: 'This route belongs to the moderator.' },
  MODERATOR_STOPPED: {
    status: 403,
    jsonRpc: -32001,
    hint: 'The owner stopped the moderator; only the owner can restore it.',
  },
  MODERATOR_NOT_ENTITLED: { status: 403, jsonRpc: -32001, hint: 'The owner has no moderator access at present.' },
  INSUFFICIENT_SCOPE: { status: 403, hint: 'Ask the owner for an invitation that carries required_scope.' },
  PERMISSION_DENIED: { status: 403, hint: 'Ask the owner to grant required_permission.' },

  // The session
  UNKNOWN_RECORD: { status: 404, hint: 'Use an id that the session shows to you.' },
  SESSION_NOT_ACTIVE: {
    status: 409,
    hint: 'Wait for the owner to start or resume the session; reading and answering still work.',
  },
  SESSION_ENDED: { status: 409, hint: 'The session is over; reading still works.' },
  WRONG_PHASE: { status: 409, hint: 'Call read_session_state: its instruction names what this phase asks for.' },
  INVALID_TRANSITION: { status: 409, hint: 'Read the session first: it is not in a state that allows this.' },
  NOT_YOUR_TURN: { status: 409, hint: 'Call wait_for_my_turn, then post again.' },
  ROUND_LIMIT_REACHED: {
    status: 409,
    hint: 'No turns are left: decide, nominate an author, or ask the owner for more rounds.',
  },
  NO_TURN_YET: { status: 409, hint: 'Post a turn first; evidence is appended to it.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    hint: 'This key already stands for another payload: use a new key for new content.',
  },
  ALREADY_ANSWERED: { status: 409, hint: 'The answer stands; say more in a turn.' },
  INTERVENTION_CLOSED: { status: 409, hint: 'Nothing is left to do about it; status says how it ended.' },
  ACTION_CLOSED: { status: 409, hint: 'Nothing is left to do; read_session_state lists your pending_actions.' },
  NOT_PROPOSER: { status: 403, hint: 'Use reject_decision for a proposal of the other agent.' },
  OWN_PROPOSAL: { status: 403, hint: 'Use withdraw_decision for your own proposal.' },
  DECISION_CLOSED: { status: 409, hint: 'Act on current_decision_id, or submit a new position on the topic.' },
  NOT_CONTRACT_AUTHOR: { status: 403, hint: 'Only contract_author writes revisions; raise a finding instead.' },
  STALE_PARENT: {
    status: 409,
    hint: 'Read latest_revision_id with get_final_plan, work your change into it and send it as expected_parent_id.',
  },
  STALE_REVISION: { status: 409, hint: 'Read the latest revision and act on that one.' },
  HASH_MISMATCH: { status: 409, hint: 'Read the revision again and send the content_hash that it shows.' },
  PATCH_FAILED: { status: 422, hint: 'Correct the operation at op_index; nothing of the patch was applied.' },
  PREFLIGHT_INVALID: { status: 422, hint: 'Correct the mappings named in issues and send all of them again.' },
  NOT_TECHNICAL_REVIEWER: {
    status: 403,
    hint: 'The Contract Author corrects the contract; its reviewer raises findings.',
  },
  NOT_RAISER: { status: 403, hint: 'Whoever raised a finding resolves it; the author answers with respond_finding.' },
  FINDING_CLOSED: { status: 409, hint: 'Nothing is left to do about it; status says how it ended.' },
  HOLD_ACTIVE: {
    status: 409,
    hint: 'Settle the finding under each hold in hold_ids, or have the moderator or the owner release it.',
  },
  HOLD_CLOSED: { status: 409, hint: 'Nothing is left to release; read_session_state lists the active holds.' },
  NOT_CERTIFIED: { status: 409, hint: 'Remove what blockers names; each says who does it and how.' },
  NOT_READY: { status: 409, hint: 'Wait until both builders report READY_TO_CODE on the frozen manifest.' },
  NO_MANIFEST: { status: 409, hint: 'Wait for the owner to approve a contract: that freezes the manifest.' },
  ARTIFACT_NOT_ASSIGNED: { status: 403, hint: 'Fetch the artifacts that list_artifacts gives you.' },
  CHECKSUM_MISMATCH: { status: 409, hint: 'Fetch the artifact again and send the sha256 of its content.' },
  RECEIPTS_MISSING: { status: 409, hint: 'Fetch each artifact in filenames and confirm it with confirm_receipt.' },
  MANIFEST_MISMATCH: { status: 409, hint: 'Send the values of the frozen manifest that list_artifacts shows.' },
  READINESS_ANSWERS_WRONG: {
    status: 409,
    hint: 'Read your handoff again and answer the questions named in question_ids from it.',
  },
  PRODUCTION_REFUSED: { status: 422, hint: 'Verify in another environment, such as staging, and declare that one.' },
  HANDSHAKE_INCOMPLETE: { status: 409, hint: 'Each agent named in missing declares its commit with verify_handshake.' },
  HANDSHAKE_NOT_READY: { status: 409, hint: 'Wait until those named declare ready and healthy with verify_handshake.' },
  FIXTURE_MISMATCH: { status: 409, hint: "Load the manifest's fixture_version and declare it with verify_handshake." },
  DEPENDENCY_NOT_PASSED: { status: 409, hint: 'The scenarios in waits_for pass first; verify_next gives the order.' },
  NOT_ASSIGNED: { status: 403, hint: 'The executor starts a scenario; verify_next lists yours.' },
  ATTEMPT_CLOSED: { status: 409, hint: 'Call verify_next: a new attempt, if one is needed, stands there.' },
  SELF_VERIFICATION: { status: 403, hint: 'Wait for the other agent: it judges what you started.' },
  EVIDENCE_POLICY_UNMET: {
    status: 409,
    hint: 'Submit the evidence listed in missing, repeat what is listed in failing, then give PASS.',
  },
  DEFECT_OPEN: {
    status: 409,
    hint: 'The assignee fixes it first: declare a new commit with verify_handshake, then call verify_submit_fix.',
  },
  DEFECT_CLOSED: { status: 409, hint: 'Read verify_board for the defects that stand.' },
  NOT_ASSIGNEE: { status: 403, hint: 'Only the assignee marks a defect fixed; the owner can reassign it.' },
  NEW_COMMIT_REQUIRED: {
    status: 409,
    hint: 'Declare the commit that mends it with verify_handshake, then send this again.',
  },
  CERTIFICATION_INCOMPLETE: { status: 409, hint: 'Each check that is not ok says what is missing.' },
  CREDENTIAL_REJECTED: {
    status: 422,
    hint: 'Take what looks like a credential out of the fields named in issues, write [secret] instead, and send it again; have a real one revoked.',
  },
  LIMIT_EXCEEDED: { status: 409, hint: 'Close what is open before adding more.' },
  QUOTA_EXHAUSTED: {
    status: 409,
    hint: 'Wait for the owner, who is told of it and can raise the quota; reading still works.',
  },
  CONFLICT: { status: 409, hint: 'Others were writing at the same moment: send the same call again.' },

  // The service
  SHUTTING_DOWN: { status: 503, hint: 'The service is restarting: retry after the given seconds.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    hint: 'Nothing is known to have changed: retry after the given seconds with the same request_id.',
  },
  LOG_BROKEN: {
    status: 409,
    hint: 'This session cannot go on. Its owner can verify and export the log, restore it from a backup, or delete the session.',
  },
  INTERNAL: { status: 500, hint: 'Tell the operator the trace_id.' },
});

export type ErrorCode = keyof typeof ERROR_KINDS;

/**
 * Extra members of the wire error, such as `next_agent` or `retry_after_seconds`; a `hint` replaces the hint of the
 * code.
 */
export type ErrorDetails = Readonly<Record<string, unknown>> & { readonly hint?: string };

export interface ErrorBody extends ErrorDetails {
  readonly ok: false;
  readonly error: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** An error that the caller sees. Any other error leaves the service as `INTERNAL`. */
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

  /** The JSON-RPC number for errors that MCP reports outside a tool result. */
  get jsonRpc(): number | undefined {
    return ERROR_KINDS[this.code].jsonRpc;
  }

  /** Seconds for a Retry-After header; undefined if the error has none. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.details.retry_after_seconds;
    return typeof seconds === 'number' ? seconds : undefined;
  }

  /** The wire form (specification part 7). */
  body(): ErrorBody {
    const { hint = ERROR_KINDS[this.code].hint, ...details } = this.details;
    return { ...details, ok: false, error: this.code, message: this.message, hint };
  }
}

/**
 * The error of a request without credentials. Its challenge names no error code, as RFC 6750 (section 3.1) requires.
 */
export class CredentialsMissing extends ParleyError {
  constructor(message: string) {
    super('UNAUTHORIZED', message);
  }
}

export function fail(code: ErrorCode, message: string, details?: ErrorDetails): never {
  throw new ParleyError(code, message, details);
}
