import type { IdIndex } from './id-index.ts';
import type { Members } from './message.ts';

/** Something said, in the terms of the printer: who spoke is known to it. */
export interface EventText {
  /** What the speaker did, in a few words after the name. */
  readonly heading: string;
  readonly text?: string;
  readonly parts?: readonly Part[];
  /** What this settled, on a line of its own. */
  readonly outcome?: string;
}

/** How much a part of a message should stand out: a fault, a warning, an open matter, a confirmed fact. */
export type PartTone = 'bad' | 'warn' | 'live' | 'good';

/** One labelled piece of what was said. */
export interface Part {
  readonly label: string;
  /** Left out for a part that should not stand out. */
  readonly tone?: PartTone;
  /** Id and topic, before the text. */
  readonly title?: string;
  readonly text?: string;
  /** Where it can be checked. */
  readonly evidence?: readonly Evidence[];
}

export interface Evidence {
  readonly source: string;
  readonly excerpt: string;
}

/** What the printer may ask beside the message: earlier records, and how a role is called. */
export interface Context {
  readonly ids: IdIndex;
  readonly nameOf: (role: string) => string;
}

/** How one kind of message reads. */
export type Describe = (body: Members, context: Context) => EventText;

/** A heading, and a text where there is one. */
export const headed = (heading: string, text?: string): EventText => (text ? { heading, text } : { heading });
