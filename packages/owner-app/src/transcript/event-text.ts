import type { IdIndex } from './id-index.ts';
import type { Members } from './message.ts';

/** The text of a message, without its speaker. */
export interface EventText {
  /** The act of the speaker, in a few words after the name. */
  readonly heading: string;
  readonly text?: string;
  readonly parts?: readonly Part[];
  /** The outcome of the message, shown on its own line. */
  readonly outcome?: string;
}

/** How much a part of a message should stand out: a fault, a warning, an open matter, a confirmed fact. */
export type PartTone = 'bad' | 'warn' | 'live' | 'good';

/** A labelled part of a message. */
export interface Part {
  readonly label: string;
  /** Left out for a part that should not stand out. */
  readonly tone?: PartTone;
  /** Id and topic, shown before the text. */
  readonly title?: string;
  readonly text?: string;
  /** Evidence for the part. */
  readonly evidence?: readonly Evidence[];
}

export interface Evidence {
  readonly source: string;
  readonly excerpt: string;
}

/** Facts that a text may need in addition to the message: earlier records, and the names of roles. */
export interface Context {
  readonly ids: IdIndex;
  readonly nameOf: (role: string) => string;
}

/** Makes the text of one kind of message. */
export type Describe = (body: Members, context: Context) => EventText;

/** A heading, with a text if there is one. */
export const headed = (heading: string, text?: string): EventText => (text ? { heading, text } : { heading });
