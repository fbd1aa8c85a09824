import type { EventBody, EventName } from '@parley/core/client';
import type { IdIndex } from './id-index.ts';

/** The text of a message, without the name of its speaker. */
export interface EventText {
  /** What the speaker does, in a few words that follow the speaker's name, or `You`. */
  readonly heading: string;
  readonly text?: string;
  readonly parts?: readonly Part[];
  /** A result of the message, which is shown on a separate line. */
  readonly outcome?: string;
}

/**
 * How a part of a message is highlighted: `bad` for a fault, `warn` for a warning, `live` for an open record or a
 * proposal, `good` for a confirmed fact.
 */
export type PartTone = 'bad' | 'warn' | 'live' | 'good';

export interface Part {
  readonly label: string;
  readonly tone?: PartTone;
  /** Id and topic of the part, which are shown before its text. */
  readonly title?: string;
  readonly text?: string;
  readonly evidence?: readonly Evidence[];
}

export interface Evidence {
  readonly source: string;
  readonly excerpt: string;
}

/**
 * Chooses between the words that follow a name, as in *Agent A accepts*, and those that follow *You*. The text of an event
 * gives both.
 */
export type Voice = (named: string, you: string) => string;

/** The voice of texts about others. */
export const NAMED: Voice = (named) => named;
/** The voice of texts that tell the reader what the reader did. */
export const YOU: Voice = (_, you) => you;

/** What the text of a message needs besides the message: records of earlier messages, and the names of the roles. */
export interface Context {
  readonly ids: IdIndex;
  readonly nameOf: (role: string) => string;
  readonly say: Voice;
  /** The role that sent the message. */
  readonly from: string;
}

/** Returns the text for events of one kind. */
type Describe<K extends EventName> = (body: EventBody<K>, context: Context) => EventText;

/** The texts of events, by kind. Null for an event that only the service itself needs, so that it has no text. */
export type EventTexts = { readonly [K in EventName]: Describe<K> | null };

/** A text with a heading. `text` is shown below the heading. */
export const headed = (heading: string, text?: string): EventText => (text ? { heading, text } : { heading });

/** A part for each text. Empty and missing texts are left out. */
export const labelled = (label: string, texts: readonly (string | undefined)[], tone?: PartTone): Part[] =>
  texts.flatMap((text) => (text ? [{ label, ...(tone && { tone }), text }] : []));

type StoredEvidence = EventBody<'evidence.posted'>['evidence'];

export const evidenceIn = (evidence: StoredEvidence = []): Evidence[] =>
  evidence.map(({ kind, reference, excerpt = '' }) => ({ source: `${kind} ${reference}`.trim(), excerpt }));

export const evidenceParts = (evidence?: StoredEvidence): Part[] =>
  evidenceIn(evidence).map((item) => ({ label: 'evidence', evidence: [item] }));
