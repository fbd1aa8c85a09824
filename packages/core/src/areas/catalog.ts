import type { z } from 'zod';
import { fail } from '../kernel/errors.ts';
import { brokenLog, type LoggedEvent } from '../kernel/log/event.ts';
import type { DraftsOf, EventKind, EventsOf } from '../kernel/log/event-catalog.ts';
import { accessEvents } from './access/events.ts';
import { actionEvents } from './actions/events.ts';
import { approvalEvents } from './approvals/events.ts';
import { attachmentEvents } from './attachments/events.ts';
import { contractEvents, preflightEvents } from './contract/events.ts';
import { findingEvents, followupEvents, holdEvents } from './findings/events.ts';
import { feedEvents, interventionEvents, recommendationEvents } from './interventions/events.ts';
import { linkEvents } from './links/events.ts';
import { manifestEvents, readinessEvents } from './manifest/events.ts';
import { noticeEvents } from './notices/events.ts';
import { decisionEvents, electionEvents, questionEvents, turnEvents } from './planning/events.ts';
import { quotaEvents } from './quotas/events.ts';
import { readingEvents } from './reading/events.ts';
import { moderatorReviewEvents, reviewEvents } from './reviews/events.ts';
import { sessionEvents } from './session/events.ts';
import { verifyEvents } from './verify/events.ts';

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
  ...followupEvents,
  ...holdEvents,
  ...reviewEvents,
  ...moderatorReviewEvents,
  ...recommendationEvents,
  ...preflightEvents,
  ...approvalEvents,
  ...linkEvents,
  ...manifestEvents,
  ...readinessEvents,
  ...readingEvents,
  ...verifyEvents,
  ...attachmentEvents,
  ...feedEvents,
  ...noticeEvents,
  ...quotaEvents,
};

export type SessionEvent = EventsOf<typeof sessionCatalog>;
export type SessionDraft = DraftsOf<typeof sessionCatalog>;
/** The stored event of one kind. */
export type EventOf<K extends SessionEvent['kind']> = Extract<SessionEvent, { kind: K }>;

/** Returns the first event of a kind among the events of a write. */
export function storedEvent<K extends SessionEvent['kind']>(events: readonly LoggedEvent[], kind: K): EventOf<K> {
  const isOfKind = (event: LoggedEvent): event is EventOf<K> => event.kind === kind;
  return events.find(isOfKind) ?? fail('INTERNAL', 'The call was stored, but its events do not contain its record.');
}

/**
 * Returns the data of the event with the number `seq` among the loaded events. The operation's `reads` must have named
 * that number.
 * @param kind the kind that the event must have
 * @throws ParleyError LOG_BROKEN if no loaded event has this kind and this number
 */
export function storedData<D extends z.ZodType>(
  loaded: readonly LoggedEvent[],
  seq: number,
  { data: schema }: EventKind<D>,
): z.output<D> {
  const parsed = schema.safeParse(loaded.find((event) => event.seq === seq)?.data);
  if (!parsed.success) throw brokenLog(seq, parsed.error);
  return parsed.data;
}

type Kind = SessionEvent['kind'];
type EventsByKind = { readonly [K in Kind]: Extract<SessionEvent, { kind: K }> };

/** How the events of each kind change a part of the state. `before` is the whole state before the event. */
type Folds<S, B = unknown> = {
  readonly [K in Kind]?: (part: S, event: EventsByKind[K], before: B) => S;
};

/** One part of the state of a session: its value before the first event, and the folds of the events that change it. */
export interface Slice<S, B = unknown> {
  readonly empty: S;
  readonly folds: Folds<S, B>;
  /** Folds every event, whatever its kind, after the fold of its kind. */
  readonly each?: (part: S, event: SessionEvent, before: B) => S;
}
