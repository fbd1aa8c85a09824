interface ErrorKind {
  /** HTTP status over REST. Over MCP the answer to a refused operation has the status 200 and `isError`. */
  readonly status: number;
  /** Number of the JSON-RPC error, for errors that MCP reports as a protocol error instead of a tool result. */
  readonly jsonRpc?: number;
  /** The call that the caller should make next. */
  readonly hint: string;
}

const kinds = <K extends string>(table: Record<K, ErrorKind>): Record<K, ErrorKind> => table;

/** Every error code of the service. A use of any other code does not compile. */
export const ERROR_KINDS = kinds({
  // Errors about the form of a request
  INVALID_JSON: { status: 400, jsonRpc: -32700, hint: 'Send one JSON object as the body.' },
  UNSUPPORTED_ENCODING: {
    status: 415,
    jsonRpc: -32600,
    hint: 'Send the body uncompressed, in UTF-8, without the header Content-Encoding.',
  },
  BODY_TOO_LARGE: { status: 413, jsonRpc: -32600, hint: 'Keep the body at or below 200,000 characters.' },
  BATCH_FULL: {
    status: 413,
    jsonRpc: -32013,
    hint: 'Send this request and the later ones of the batch again, in another batch or one by one; none of them was executed.',
  },
  INVALID_INPUT: { status: 422, hint: 'Correct the fields named in issues and send the call again.' },
  NOT_FOUND: { status: 404, hint: 'Call read_task: it describes how to work, and names the tools.' },
  METHOD_NOT_ALLOWED: { status: 405, jsonRpc: -32600, hint: 'Use one of the methods named in the Allow header.' },
  RATE_LIMITED: { status: 429, jsonRpc: -32029, hint: 'Wait retry_after_seconds, then send the call again.' },
  CROSS_SITE_REFUSED: {
    status: 403,
    hint: 'Send the request from a program such as parley connect, not from a web page.',
  },
  HOST_NOT_SERVED: {
    status: 421,
    hint: 'Use the address that the owner gave you. An operator adds a name with PARLEY_HOSTS (--hosts).',
  },

  // Errors about the caller
  UNAUTHORIZED: {
    status: 401,
    jsonRpc: -32001,
    hint: 'Send the token that redeem_invitation returned, whole and unchanged. If you have none, ask the owner for an invitation and redeem it.',
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
    hint: 'Use the tools of a moderator; get_moderator_status says what you may do.',
  },
  BUILDER_FORBIDDEN: { status: 403, hint: 'Use the tools of a builder; read_session_state names your next call.' },
  MODERATOR_STOPPED: {
    status: 403,
    jsonRpc: -32001,
    hint: 'Wait until the owner restores the moderator.',
  },
  MODERATOR_NOT_ENTITLED: { status: 403, jsonRpc: -32001, hint: 'Wait until the owner admits moderators again.' },
  INSUFFICIENT_SCOPE: { status: 403, hint: 'Ask the owner for an invitation that carries required_scope.' },
  PERMISSION_DENIED: { status: 403, hint: 'Ask the owner to grant required_permission.' },

  // Errors about the session
  UNKNOWN_RECORD: {
    status: 404,
    hint: 'Use an id from a list of this session, such as list_decisions or list_findings.',
  },
  SESSION_NOT_ACTIVE: {
    status: 409,
    hint: 'Wait for the owner to start or resume the session; reading and answering still work.',
  },
  SESSION_ENDED: { status: 409, hint: 'Make no more writes: the session is over. Reading still works.' },
  WRONG_PHASE: { status: 409, hint: 'Call read_session_state: its instruction names what this phase asks for.' },
  INVALID_TRANSITION: { status: 409, hint: 'Read the session: its status and phase decide which calls are possible.' },
  NOT_YOUR_TURN: { status: 409, hint: 'Call wait_for_my_turn, then post again.' },
  ROUND_LIMIT_REACHED: {
    status: 409,
    hint: 'Call accept_decision and elect_contract_author, which use no turn, or wait for the owner to add rounds.',
  },
  NO_TURN_YET: { status: 409, hint: 'Post a turn first; evidence is appended to it.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    hint: 'Send new content with a new key; repeat a key only with the payload of its first use.',
  },
  ALREADY_ANSWERED: { status: 409, hint: 'Your first answer is final; add to it in a turn.' },
  INTERVENTION_CLOSED: { status: 409, hint: 'No answer is needed any more; status says how the question ended.' },
  ACTION_CLOSED: { status: 409, hint: 'This action needs no further call; poll_actions lists the open ones.' },
  NOT_PROPOSER: { status: 403, hint: 'Use reject_decision for a proposal of the other agent.' },
  OWN_PROPOSAL: { status: 403, hint: 'Use withdraw_decision for your own proposal.' },
  DECISION_CLOSED: {
    status: 409,
    hint: 'Use current_decision_id instead; if it is null, send submit_decision with a new position on the topic.',
  },
  NOT_CONTRACT_AUTHOR: {
    status: 403,
    hint: 'Only the builder named in contract_author writes revisions; propose the change with submit_finding.',
  },
  STALE_PARENT: {
    status: 409,
    hint: 'Read the latest revision with get_final_plan, apply your change to it, and send its revision_id as expected_parent_id.',
  },
  STALE_REVISION: { status: 409, hint: 'Read the latest revision and send its revision_id and content_hash.' },
  HASH_MISMATCH: { status: 409, hint: 'Read the revision again and send its content_hash.' },
  PATCH_FAILED: {
    status: 422,
    hint: 'Correct the operation at op_index and send the whole patch again; none of it was applied.',
  },
  PREFLIGHT_INVALID: { status: 422, hint: 'Correct the mappings named in issues and send all of them again.' },
  NOT_TECHNICAL_REVIEWER: {
    status: 403,
    hint: 'The Contract Author corrects the contract with patch_contract; the Technical Reviewer raises findings.',
  },
  NOT_RAISER: {
    status: 403,
    hint: 'Only the agent that raised a finding resolves it; the Contract Author answers with respond_finding.',
  },
  FINDING_CLOSED: { status: 409, hint: 'This finding needs no further call; status says how it ended.' },
  HOLD_ACTIVE: {
    status: 409,
    hint: 'Wait until each hold in hold_ids is released: by the moderator, by the owner, or when its finding is resolved.',
  },
  HOLD_CLOSED: { status: 409, hint: 'This hold needs no further call: it is released already.' },
  NOT_CERTIFIED: { status: 409, hint: 'Settle every entry of blockers; each names who acts and the call.' },
  NOT_READY: { status: 409, hint: 'Wait until both builders report READY_TO_CODE on the frozen manifest.' },
  NO_MANIFEST: { status: 409, hint: 'Wait until the owner approves a contract; the approval freezes the manifest.' },
  ARTIFACT_NOT_ASSIGNED: { status: 403, hint: 'Fetch only the artifacts that list_artifacts returns to you.' },
  CHECKSUM_MISMATCH: {
    status: 409,
    hint: 'Fetch the artifact again with fetch_artifact and send the SHA-256 of its content.',
  },
  RECEIPTS_MISSING: { status: 409, hint: 'Fetch each artifact in filenames and confirm it with confirm_receipt.' },
  MANIFEST_MISMATCH: { status: 409, hint: 'Send the values of the frozen manifest that list_artifacts shows.' },
  READINESS_ANSWERS_WRONG: {
    status: 409,
    hint: 'Read your handoff again and answer the questions named in question_ids from it.',
  },
  PRODUCTION_REFUSED: { status: 422, hint: 'Verify in another environment, such as staging, and declare that one.' },
  HANDSHAKE_INCOMPLETE: { status: 409, hint: 'Each agent named in missing declares its commit with verify_handshake.' },
  HANDSHAKE_NOT_READY: {
    status: 409,
    hint: 'Wait until each agent named in not_ready declares ready and healthy with verify_handshake.',
  },
  FIXTURE_MISMATCH: { status: 409, hint: "Load the manifest's fixture_version and declare it with verify_handshake." },
  DEPENDENCY_NOT_PASSED: {
    status: 409,
    hint: 'Wait until the scenarios in waits_for have passed; verify_next lists the calls you can make now.',
  },
  NOT_ASSIGNED: { status: 403, hint: 'Call verify_next: it lists the scenarios that you can start.' },
  ATTEMPT_CLOSED: { status: 409, hint: 'Call verify_next: it lists a new attempt if one is needed.' },
  SELF_VERIFICATION: { status: 403, hint: 'Wait for the other agent: it judges the attempts that you started.' },
  EVIDENCE_POLICY_UNMET: {
    status: 409,
    hint: 'Submit the evidence listed in missing, repeat what is listed in failing, then give PASS.',
  },
  DEFECT_OPEN: {
    status: 409,
    hint: 'The assignee fixes it first: declare a new commit with verify_handshake, then call verify_submit_fix.',
  },
  DEFECT_CLOSED: { status: 409, hint: 'This defect needs no further call; verify_board lists the open ones.' },
  NOT_ASSIGNEE: { status: 403, hint: 'Only the assignee marks a defect fixed; the owner can reassign it.' },
  NEW_COMMIT_REQUIRED: {
    status: 409,
    hint: 'Declare the commit that fixes the defect with verify_handshake, then send this call again.',
  },
  CERTIFICATION_INCOMPLETE: {
    status: 409,
    hint: 'Wait until every check in checks is ok; its detail says what is missing.',
  },
  CREDENTIAL_REJECTED: {
    status: 422,
    hint: 'Replace the credential in the fields named in issues by [secret] and send the call again. If the credential was real, have it revoked.',
  },
  LIMIT_EXCEEDED: { status: 409, hint: 'Close or settle an open record of this kind before you add another.' },
  QUOTA_EXHAUSTED: {
    status: 409,
    hint: 'Wait: the owner is informed and can raise the quota. Reading still works.',
  },
  CONFLICT: { status: 409, hint: 'Send the same call again: other writes came first.' },

  // Errors about the service
  SHUTTING_DOWN: { status: 503, hint: 'Send the call again after retry_after_seconds.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    hint: 'Send the call again after retry_after_seconds, with the same request_id: the first one may have been stored.',
  },
  LOG_BROKEN: {
    status: 409,
    hint: 'Make no more calls in this session. The owner can verify and export the log, restore it from a backup, or delete the session.',
  },
  INTERNAL: { status: 500, hint: 'Tell the operator the trace_id.' },
});

export type ErrorCode = keyof typeof ERROR_KINDS;
