import type { DraftsOf, EventsOf } from '../kernel/log/event-catalog.ts';
import { accessEvents } from './access/state.ts';
import { actionEvents } from './actions/state.ts';
import { contractEvents } from './contract/state.ts';
import { decisionEvents } from './decisions/state.ts';
import { electionEvents } from './election/state.ts';
import { feedEvents } from './feed/state.ts';
import { findingEvents } from './findings/state.ts';
import { holdEvents } from './holds/state.ts';
import { interventionEvents } from './interventions/state.ts';
import { manifestEvents } from './manifest/state.ts';
import { noticeEvents } from './notices/state.ts';
import { preflightEvents } from './preflight/state.ts';
import { questionEvents } from './questions/state.ts';
import { quotaEvents } from './quotas/state.ts';
import { readinessEvents } from './readiness/state.ts';
import { recommendationEvents } from './recommendations/state.ts';
import { moderatorReviewEvents } from './reviews/moderator-state.ts';
import { reviewEvents } from './reviews/state.ts';
import { sessionEvents } from './session/state.ts';
import { turnEvents } from './turns/state.ts';
import { verifyEvents } from './verify/events.ts';

/** Every kind of event a session's log can hold. */
export const sessionCatalog = {
  ...sessionEvents,
  ...accessEvents,
  ...turnEvents,
  ...questionEvents,
  ...decisionEvents,
  ...interventionEvents,
  ...actionEvents,
  ...electionEvents,
  ...contractEvents,
  ...findingEvents,
  ...holdEvents,
  ...reviewEvents,
  ...moderatorReviewEvents,
  ...recommendationEvents,
  ...preflightEvents,
  ...manifestEvents,
  ...readinessEvents,
  ...verifyEvents,
  ...feedEvents,
  ...noticeEvents,
  ...quotaEvents,
};

export type SessionEvent = EventsOf<typeof sessionCatalog>;
export type SessionDraft = DraftsOf<typeof sessionCatalog>;
