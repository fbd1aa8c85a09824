/**
 * The limits of the interface specification (parts 5 and 8), and the quotas of a session. They are defined in this file
 * only.
 */
/** Maximum length of a request's body. Characters are counted as code points, in this limit and in all others. */
export const MAX_BODY_CHARS = 200_000;
/** Maximum number of bytes that `MAX_BODY_CHARS` characters take in UTF-8. */
export const MAX_BODY_BYTES = 800_000;
export const MAX_JSON_DEPTH = 64;
export const MAX_TOKEN_CHARS = 200;
export const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
const INVITATION_LIFETIME_MS = 7 * TOKEN_LIFETIME_MS;
export const TOKEN_PREFIX_CHARS = 10;
export const MAX_WAIT_SECONDS = 25;
export const DEFAULT_WAIT_SECONDS = 20;
export const MESSAGES_PER_PAGE = 50;
export const MESSAGE_PAGE_CHARS = 60_000;
export const EXCERPT_MAX_CHARS = 600;
export const RATE_WINDOW_MS = 60_000;
const MAX_HELD_POLLS_PER_TOKEN = 8;
export const MAX_BATCH_ELEMENTS = 50;
/** Maximum length of an answer, in bytes of UTF-8; streams of events and of a log have no limit. */
export const MAX_ANSWER_BYTES = 1_000_000;
/** Maximum length of all answers to one batch together, in bytes of UTF-8. */
export const MAX_BATCH_BYTES = 2_000_000;
export const MAX_ROUNDS = 1_000;
/** Number of rounds that the owner is proposed to add. */
export const ADDED_ROUNDS = 5;
/** Maximum number of events in one read of a storage. */
export const EVENTS_PER_READ = 500;
/** Maximum length of the events in one read, in bytes of UTF-8. The event that reaches this length is the last one read. */
export const BYTES_PER_READ = 4 * 1024 * 1024;

/**
 * Quotas limit how much one agent adds to a session. If the agent deletes or withdraws records, the used amount stays the
 * same.
 */
export const QUOTAS = ['bytes', 'events', 'revisions', 'findings'] as const;
export type Quota = (typeof QUOTAS)[number];
export type Amounts = Readonly<Record<Quota, number>>;

/** The owner can raise a quota up to this many times its initial value. */
export const MAX_RAISE = 4;

/**
 * Limits that an embedder can change with `createParley({ limits })`. The counting of requests cannot be turned off.
 */
export interface Limits {
  /** Requests per minute and token (specification part 8). */
  readonly perToken: number;
  /** Requests per minute and client address. Counts only requests without a well-formed token. */
  readonly perAddress: number;
  /** Attempts to redeem an invitation per minute and client address. */
  readonly redeemPerAddress: number;
  /** Requests of the owner API per minute and person. The holders of the owner key count as one person. */
  readonly perPerson: number;
  readonly heldPollsPerToken: number;
  /** Maximum number of open decisions of each builder. */
  readonly openDecisions: number;
  readonly evidencePerDecision: number;
  readonly openQuestions: number;
  readonly openInterventions: number;
  readonly openActions: number;
  readonly openRecommendations: number;
  readonly evidencePerAttempt: number;
  /** The quotas with which each agent begins in a new session. The owner can raise them later. */
  readonly quotas: Amounts;
  readonly invitationLifetimeMs: number;
  /** Number of milliseconds without a call after which a builder that has a task counts as silent. */
  readonly silentAfterMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  perToken: 600,
  perAddress: 60,
  redeemPerAddress: 10,
  perPerson: 3_000,
  heldPollsPerToken: MAX_HELD_POLLS_PER_TOKEN,
  openDecisions: 500,
  evidencePerDecision: 200,
  openQuestions: 500,
  openInterventions: 500,
  openActions: 500,
  openRecommendations: 200,
  evidencePerAttempt: 200,
  quotas: { bytes: 8 * 1024 * 1024, events: 16_000, revisions: 500, findings: 2_000 },
  invitationLifetimeMs: INVITATION_LIFETIME_MS,
  silentAfterMs: 15 * 60_000,
};
