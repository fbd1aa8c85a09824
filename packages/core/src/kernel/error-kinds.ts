import { kinds } from './error-kind.ts';
import { STATE_REFUSALS } from './state-refusals.ts';

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

  // Refusals because of the state of the session
  ...STATE_REFUSALS,

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
  LOG_BROKEN: {
    status: 409,
    hint: 'Make no more calls in this session. The owner can verify and export the log, restore it from a backup, or delete the session.',
  },
  INTERNAL: {
    status: 500,
    hint: 'Give the trace_id to the operator of this service, who can find the cause in its log.',
  },
});

export type ErrorCode = keyof typeof ERROR_KINDS;
