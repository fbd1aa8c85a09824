import type { DraftsOf, EventsOf } from '../kernel/event-catalog.ts';
import { accessEvents } from './access/state.ts';
import { actionEvents } from './actions/state.ts';
import { decisionEvents } from './decisions/state.ts';
import { electionEvents } from './election/state.ts';
import { interventionEvents } from './interventions/state.ts';
import { questionEvents } from './questions/state.ts';
import { sessionEvents } from './session/state.ts';
import { turnEvents } from './turns/state.ts';

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
};

export type SessionEvent = EventsOf<typeof sessionCatalog>;
export type SessionDraft = DraftsOf<typeof sessionCatalog>;
