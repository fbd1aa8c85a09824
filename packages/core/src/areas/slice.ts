import type { SessionEvent } from './catalog.ts';

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
