import type { IdIndex } from './id-index.ts';
import type { Members } from './message.ts';

/** The text of a message, without its speaker. */
export interface EventText {
  /** What the speaker does, in a few words that follow the speaker's name. */
  readonly heading: string;
  readonly text?: string;
  readonly parts?: readonly Part[];
  /** A result of the message. It is shown on a line of its own. */
  readonly outcome?: string;
}

/** How a part of a message stands out: as a fault, a warning, an open matter or a confirmed fact. */
export type PartTone = 'bad' | 'warn' | 'live' | 'good';

/** A labelled part of a message. */
export interface Part {
  readonly label: string;
  /** Left out for a part that does not stand out. */
  readonly tone?: PartTone;
  /** Id and topic, shown before the text. */
  readonly title?: string;
  readonly text?: string;
  /** Evidence that supports the part. */
  readonly evidence?: readonly Evidence[];
}

export interface Evidence {
  readonly source: string;
  readonly excerpt: string;
}

/**
 * Facts that the text of a message may need in addition to the message: records of earlier messages, and the names of the
 * roles.
 */
export interface Context {
  readonly ids: IdIndex;
  readonly nameOf: (role: string) => string;
}

/** Makes the text of one kind of message. */
export type Describe = (body: Members, context: Context) => EventText;

/** A heading, with the text below it if there is one. */
export const headed = (heading: string, text?: string): EventText => (text ? { heading, text } : { heading });
