import { GENESIS, type LoggedEvent } from '../kernel/log/event.ts';
import { emptyTranscript, evolveTranscript, type Transcript } from '../kernel/log/event-catalog.ts';
import type { SessionRoot } from '../kernel/operation/operation.ts';
import { accessSlice } from './access/state.ts';
import { actionsSlice } from './actions/state.ts';
import { approvalsSlice } from './approvals/state.ts';
import { attachmentsSlice } from './attachments/state.ts';
import { type SessionEvent, type Slice, sessionCatalog } from './catalog.ts';
import { contractSlice, preflightSlice } from './contract/state.ts';
import { findingsSlice, followupsSlice, holdsSlice } from './findings/state.ts';
import { groundsSlice } from './grounds/state.ts';
import { feedSlice, interventionsSlice, recommendationsSlice } from './interventions/state.ts';
import { linksSlice } from './links/state.ts';
import { manifestSlice, readinessSlice } from './manifest/state.ts';
import { noticesSlice } from './notices/state.ts';
import { decisionsSlice, electionSlice, questionsSlice, turnsSlice } from './planning/state.ts';
import { quotasSlice } from './quotas/state.ts';
import { readingSlice } from './reading/state.ts';
import { moderatorReviewsSlice, reviewsSlice } from './reviews/state.ts';
import { profileSlice, timesSlice } from './session/state.ts';
import { verifySlice } from './verify/state.ts';

const transcriptSlice: Slice<Transcript> = {
  empty: emptyTranscript,
  folds: {},
  each: (transcript, event) => evolveTranscript(transcript, event, sessionCatalog),
};

const SLICES = {
  profile: profileSlice,
  access: accessSlice,
  turns: turnsSlice,
  questions: questionsSlice,
  decisions: decisionsSlice,
  interventions: interventionsSlice,
  actions: actionsSlice,
  election: electionSlice,
  contract: contractSlice,
  findings: findingsSlice,
  followups: followupsSlice,
  holds: holdsSlice,
  reviews: reviewsSlice,
  moderatorReviews: moderatorReviewsSlice,
  recommendations: recommendationsSlice,
  preflight: preflightSlice,
  approvals: approvalsSlice,
  manifest: manifestSlice,
  readiness: readinessSlice,
  reading: readingSlice,
  verify: verifySlice,
  attachments: attachmentsSlice,
  transcript: transcriptSlice,
  feed: feedSlice(sessionCatalog),
  links: linksSlice,
  notices: noticesSlice,
  quotas: quotasSlice,
  times: timesSlice,
  grounds: groundsSlice,
};

type PartName = keyof typeof SLICES;
type Parts = { readonly [N in PartName]: (typeof SLICES)[N]['empty'] };

/** The state of one session, folded from its log. Immutable: each event gives a new state. */
export interface SessionState extends SessionRoot, Parts {}

const PART_NAMES = Object.keys(SLICES) as PartName[];
const BY_NAME: { readonly [N in PartName]: Slice<Parts[N], SessionState> } = SLICES;

/** For each kind of event, the parts that it can change. */
const PARTS_OF = new Map(
  Object.keys(sessionCatalog).map((kind) => [
    kind,
    PART_NAMES.filter((name) => BY_NAME[name].each !== undefined || kind in BY_NAME[name].folds),
  ]),
);

const EMPTY = Object.fromEntries(PART_NAMES.map((name) => [name, SLICES[name].empty])) as Parts;

export const emptySession = (sessionId: string): SessionState => ({
  sessionId,
  ownerId: '',
  head: GENESIS,
  at: '',
  ...EMPTY,
});

type Mutable<T> = { -readonly [N in keyof T]: T[N] };

function foldInto<N extends PartName>(next: Mutable<Parts>, name: N, happening: Happening<SessionState>) {
  const parts: Parts = happening.before;
  next[name] = foldPart(BY_NAME[name], parts[name], happening);
}

/** Folds one event. The caller must have checked that the catalog contains the kind of the event. */
export function evolveSession(state: SessionState, logged: LoggedEvent): SessionState {
  const event = logged as SessionEvent;
  const next: Mutable<SessionState> = { ...state, head: { seq: event.seq, hash: event.hash }, at: event.at };
  if (event.kind === 'session.created') next.ownerId = event.data.owner_id;
  for (const name of PARTS_OF.get(event.kind) ?? []) foldInto(next, name, { event, before: state });
  return next;
}

/** Folds an event into a part of the state. `before` is the whole state before the event. */
export function foldPart<S, B>({ folds, each }: Slice<S, B>, part: S, { event, before }: Happening<B>): S {
  const fold = folds[event.kind] as Fold<S, B> | undefined;
  const folded = fold ? fold(part, event, before) : part;
  return each ? each(folded, event, before) : folded;
}

interface Happening<B> {
  readonly event: SessionEvent;
  readonly before: B;
}

type Fold<S, B> = (part: S, event: SessionEvent, before: B) => S;
