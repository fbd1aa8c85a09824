interface ErrorKind {
  /** HTTP status over REST. Over MCP an error without `jsonRpc` is a tool result with `isError` and the status 200. */
  readonly status: number;
  /** Number of the JSON-RPC error. Absent for an error that MCP reports as a tool result. */
  readonly jsonRpc?: number;
  readonly hint: string;
  /** Whether the error shows the caller what it had not read of the session, so that the call can be sent again. */
  readonly showsHead?: true;
}

/** The table with a type that contains the codes. A hint alone is that of a refusal with the status 409. */
const kinds = <K extends string>(table: Readonly<Record<K, ErrorKind | string>>): Record<K, ErrorKind> =>
  Object(
    Object.fromEntries(
      Object.entries<ErrorKind | string>(table).map(([code, kind]) => [
        code,
        typeof kind === 'string' ? { status: 409, hint: kind } : kind,
      ]),
    ),
  );

/** Every error code of the service, with its HTTP status, JSON-RPC number and hint. Any other code is a type error. */
export const ERROR_KINDS = kinds({
  // Errors because of the form of a request
  INVALID_JSON: { status: 400, jsonRpc: -32700, hint: 'Send one JSON object as the body.' },
  UNSUPPORTED_ENCODING: {
    status: 415,
    jsonRpc: -32600,
    hint: 'Send the body uncompressed, in UTF-8, without the header Content-Encoding.',
  },
  BODY_TOO_LARGE: { status: 413, jsonRpc: -32600, hint: 'Send a body of at most 200,000 characters.' },
  BATCH_FULL: {
    status: 413,
    jsonRpc: -32013,
    hint: 'Send this request and the later requests of the batch again, in another batch or one by one. None of them was executed.',
  },
  INVALID_INPUT: { status: 422, hint: 'Correct the fields named in issues and send the call again.' },
  NOT_FOUND: {
    status: 404,
    hint: 'Call read_task (GET task), which says how to work in this session. Over REST, read_session_state (GET state) names the route of your next call in instruction.',
  },
  METHOD_NOT_ALLOWED: { status: 405, jsonRpc: -32600, hint: 'Use one of the methods named in the Allow header.' },
  RATE_LIMITED: {
    status: 429,
    jsonRpc: -32029,
    hint: 'Wait as many seconds as retry_after_seconds says, then send the call again.',
  },
  CROSS_SITE_REFUSED: {
    status: 403,
    hint: 'Send the request from a program such as parley connect, not from a web page.',
  },
  HOST_NOT_SERVED: {
    status: 421,
    hint: 'Use the address that the owner gave you: this service answers only under its own host names. The operator can add a name with PARLEY_HOSTS (--hosts).',
  },

  // Refusals because of the identity of the caller
  UNAUTHORIZED: {
    status: 401,
    jsonRpc: -32001,
    hint: 'Send the token that redeem_invitation (POST invitations/redeem) returned, whole and unchanged. If you have none, ask the owner for an invitation and redeem it.',
  },
  TOKEN_REVOKED: {
    status: 401,
    jsonRpc: -32001,
    hint: 'Ask the owner for a new invitation and redeem it with redeem_invitation (POST invitations/redeem). The new token replaces the revoked token.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    jsonRpc: -32001,
    hint: 'Ask the owner for a new invitation and redeem it with redeem_invitation (POST invitations/redeem). Everything that you did is kept.',
  },
  INVITATION_INVALID: {
    status: 404,
    hint: 'Ask the owner for a new invitation: a code works only once, and only for seven days.',
  },
  WRONG_SESSION: {
    status: 403,
    hint: 'Send the call to the session_id that came with your token: a token reaches one session only.',
  },
  MODERATOR_FORBIDDEN: {
    status: 403,
    hint: 'This call is for builders. Use the tools of a moderator; get_moderator_status says what you may do.',
  },
  BUILDER_FORBIDDEN: {
    status: 403,
    hint: 'This call is for the moderator. Use the tools of a builder; read_session_state names your next call.',
  },
  MODERATOR_STOPPED: {
    status: 403,
    jsonRpc: -32001,
    hint: 'Make no calls until the owner restores the moderator.',
  },
  MODERATOR_NOT_ENTITLED: {
    status: 403,
    jsonRpc: -32001,
    hint: 'Make no calls until the owner admits moderators again; your token works again from then on.',
  },
  ROLE_FORBIDDEN: {
    status: 403,
    hint: 'Ask a person whose role allows this call to make it, or ask an approver to change your role.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    hint: 'Your token may not make this call. If your work needs it, ask the owner for a new invitation with the scope that required_scope names, and redeem it.',
  },
  PERMISSION_DENIED: {
    status: 403,
    hint: 'Your token may not make this call. If your work needs it, ask the owner to grant the moderator the permission that required_permission names.',
  },

  // Refusals because of the state of the session, in the order of its phases
  UNKNOWN_RECORD: {
    status: 404,
    hint: 'Use an id that a read of this session shows, such as list_decisions, list_findings, verify_board or read_session_state. Ids of records that you may not see are refused too.',
  },
  SESSION_NOT_ACTIVE:
    'Wait until the owner starts or resumes the session. Until then you can still read, answer and acknowledge.',
  SESSION_ENDED: 'Make no more writes: the session is over. Reading still works.',
  WRONG_PHASE: 'Call read_session_state: instruction names the call that you can make in this phase.',
  INVALID_TRANSITION:
    'Read the status and the phase of the session with `view`: they determine which operations work now.',
  NOT_YOUR_TURN:
    'Call wait_for_my_turn (over REST GET state with wait=25) until next_agent is you, then post the turn again.',
  ROUND_LIMIT_REACHED:
    'No turn is left. Call accept_decision and elect_contract_author, which use no turn, or wait for the owner to add rounds.',
  NO_TURN_YET: 'Post a turn first: evidence is appended to your latest turn.',
  IDEMPOTENCY_CONFLICT: 'Send new content with a new idempotency key. Repeat a key only with its first payload.',
  ALREADY_ANSWERED:
    'Your first answer is final. To add something, write it in your next turn, or ask a question with answer_question.',
  INTERVENTION_CLOSED: 'Send no answer: this intervention needs no further answer. status says how it ended.',
  ACTION_CLOSED:
    'Make no further call on this action: it is closed. Your open actions are in pending_actions of read_session_state.',
  NOT_PROPOSER: { status: 403, hint: 'Use reject_decision, because the other agent proposed this decision.' },
  OWN_PROPOSAL: { status: 403, hint: 'Use withdraw_decision, because you proposed this decision yourself.' },
  DECISION_CLOSED:
    'This decision was replaced or closed. Use current_decision_id instead; if it is null, send submit_decision with a new position on the topic.',
  POSITION_CHANGED: {
    status: 409,
    showsHead: true,
    hint: 'Read current. Accept it with accept_decision, reject it with reject_decision, or send your position again with its decision_id as supersedes. If current is null, leave supersedes out.',
  },
  NOT_CONTRACT_AUTHOR: {
    status: 403,
    hint: 'Only the builder that contract_author names makes this call. If you are the Technical Reviewer, propose your change with submit_finding.',
  },
  STALE_PARENT:
    'Another revision was submitted before your call. Read the latest one with get_final_plan, apply your change to it, and send its revision_id as expected_parent_id.',
  STALE_REVISION:
    'A newer revision was submitted before your call. Read that revision, then send its revision_id and content_hash.',
  HASH_MISMATCH:
    'Read the revision again and send the content_hash of the answer: a verdict or an approval is valid for exactly one content.',
  PATCH_FAILED: {
    status: 422,
    hint: 'Correct the operation whose number is op_index and send the whole patch again; none of it was applied.',
  },
  PREFLIGHT_INVALID: {
    status: 422,
    hint: 'Correct the mappings that `issues` names, then send the call again: none of its mappings was stored.',
  },
  NOT_TECHNICAL_REVIEWER: {
    status: 403,
    hint: 'Only the Technical Reviewer raises findings on the contract. If you are the Contract Author, correct the contract with patch_contract. To dispute a defect that is assigned to you, send its id as target.',
  },
  NOT_RAISER: {
    status: 403,
    hint: 'Only the agent that raised this finding closes it. If the finding names you or you are the Contract Author, answer it with respond_finding.',
  },
  FINDING_CLOSED: 'Make no further call on this finding. status says how it was closed.',
  HOLD_ACTIVE:
    'Wait until every hold in hold_ids is released. The moderator or the owner can release a hold; resolving its finding releases it too.',
  HOLD_CLOSED: 'Make no further call on this hold: it is released already.',
  NOT_CERTIFIED: 'Wait until the list in blockers is empty: each entry names who must act and by which call.',
  NOT_READY:
    "Wait until both builders have reported READY_TO_CODE on the frozen manifest and confirmed each other's answers.",
  NO_MANIFEST: 'Wait until the owner approves a contract: the approval freezes the manifest that this call needs.',
  ARTIFACT_NOT_ASSIGNED: {
    status: 403,
    hint: "Fetch only the artifacts that list_artifacts shows you. You may not read the other agent's handoff.",
  },
  CHECKSUM_MISMATCH:
    'The sha256 that you sent is not that of the stored file. Fetch the artifact again with fetch_artifact and send the SHA-256 of exactly its content.',
  RECEIPTS_MISSING:
    'Call fetch_artifact for each artifact in filenames that you have not read, and confirm_receipt for all of them. Then report again.',
  MANIFEST_MISMATCH:
    'Send the values of the frozen manifest that list_artifacts shows, because a report counts for one manifest only.',
  READINESS_ANSWERS_WRONG:
    'Read your handoff again, correct your answers to the questions in question_ids, and report again.',
  PRODUCTION_REFUSED: {
    status: 422,
    hint: 'Run your service in an environment that is not production, such as staging, and declare that environment with verify_handshake.',
  },
  HANDSHAKE_INCOMPLETE:
    'Wait until each agent that missing names has declared its commit with verify_handshake; if it names you, make that call.',
  HANDSHAKE_NOT_READY:
    'Wait until each agent that not_ready names has declared with verify_handshake that it is ready and healthy; if it names you, make that call.',
  FIXTURE_MISMATCH:
    'Use the test data of the fixture_version in the manifest, and declare this fixture_version with verify_handshake.',
  DEPENDENCY_NOT_PASSED:
    'Wait until the scenarios in waits_for have passed: your scenario depends on them. verify_next lists the calls that you can make now.',
  NOT_ASSIGNED: {
    status: 403,
    hint: 'Only the executor of a scenario starts it. Call verify_next: it lists the scenarios that you can start.',
  },
  ATTEMPT_CLOSED:
    'This attempt takes no more evidence and no verdict. Call verify_next: it lists a new attempt if one is needed.',
  SELF_VERIFICATION: { status: 403, hint: 'Wait for the other agent: it judges the attempts that you started.' },
  EVIDENCE_POLICY_UNMET:
    'If the scenario failed, send FAIL. Else submit what missing lists; if failing has entries, run the scenario again and submit its evidence. Then send PASS.',
  DEFECT_OPEN:
    'The agent to which the defect is assigned must fix it first: it declares a new commit with verify_handshake, then calls verify_submit_fix.',
  DEFECT_CLOSED: 'Make no further call on this defect: it is closed. verify_board lists the open defects.',
  NOT_ASSIGNEE: {
    status: 403,
    hint: 'Only the agent to which a defect is assigned marks it fixed. The owner can assign the defect to the other agent.',
  },
  NEW_COMMIT_REQUIRED: 'With verify_handshake, declare the commit that fixes the defect. Then send the call again.',
  CERTIFICATION_INCOMPLETE:
    'Wait until ok is true for every entry of checks; the detail of an entry says what is missing.',
  GROUNDS_CHANGED:
    'Nothing was decided. Look again at what changed, then decide anew; a program sends `head.seq` as seen. If it keeps changing, pause the session first.',
  CREDENTIAL_REJECTED: {
    status: 422,
    hint: 'Replace the credential in the fields named in issues by [secret] and send the call again. If the credential was real, have it revoked.',
  },
  LIMIT_EXCEEDED: 'Change the call so that it stays within the limit that the message names.',
  QUOTA_EXHAUSTED:
    'Make no more writes until the owner has raised this quota; the owner is informed. Reading still works.',
  CONFLICT: 'Send the same call again: nothing of this call was stored.',

  // Failures of the service
  SHUTTING_DOWN: { status: 503, hint: 'Send the call again after retry_after_seconds.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    hint: 'Send the call again after retry_after_seconds, with the same request_id if the call has one. The first call may have been stored.',
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    hint: 'Send the report again after retry_after_seconds, with a new token. Nothing was stored.',
  },
  LOG_BROKEN:
    'Make no more calls in this session. The owner can verify and export the log, restore it from a backup, or delete the session.',
  INTERNAL: {
    status: 500,
    hint: 'Give the trace_id to the operator of this service, who can find the cause in its log.',
  },
});

export type ErrorCode = keyof typeof ERROR_KINDS;

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
