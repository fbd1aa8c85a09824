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

/** Whether an event of this kind can change the part. */
export const concerns = ({ folds, each }: { readonly folds: object; readonly each?: unknown }, kind: Kind): boolean =>
  each !== undefined || kind in folds;

/** An event that is folded, and the whole state before it. */
export interface Happening<B> {
  readonly event: SessionEvent;
  readonly before: B;
}

export function foldPart<S, B>({ folds, each }: Slice<S, B>, part: S, { event, before }: Happening<B>): S {
  const folded = foldKind(folds, event.kind, event)(part, before);
  return each ? each(folded, event, before) : folded;
}

const foldKind =
  <S, B, K extends Kind>(folds: Folds<S, B>, kind: K, event: EventsByKind[K]) =>
  (part: S, before: B): S => {
    const fold = folds[kind];
    return fold ? fold(part, event, before) : part;
  };
