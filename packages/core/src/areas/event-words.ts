import type { BodyOf, EventCatalog } from '../kernel/log/event-catalog.ts';
import type { StoredEvidence } from './fields.ts';

/** What an event says, without the name of its speaker. */
export interface EventText {
  /** What the speaker does, in a few words that follow the speaker's name, or `You`. */
  readonly heading: string;
  readonly text?: string;
  readonly parts?: readonly Part[];
  /** A result of the event, which is shown on a separate line. */
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
  /** Whether the text is shown letter by letter, and not as Markdown: a command, or the name of a test. */
  readonly isLiteral?: boolean;
  readonly evidence?: readonly Evidence[];
}

export interface Evidence {
  readonly source: string;
  readonly excerpt: string;
}

/**
 * Chooses between the words that follow a name, as in *Agent A accepts*, and those that follow *You*. The words of an event
 * give both.
 */
export type Voice = (named: string, you: string) => string;

/** The voice of texts about others. */
export const NAMED: Voice = (named) => named;
/** The voice of texts that tell the reader what the reader did. */
export const YOU: Voice = (_, you) => you;

/** Names a readiness question. Each builder has its own questions for each manifest. */
export interface ReadinessQuestionId {
  readonly manifestId: string;
  readonly by: string;
  readonly questionId: string;
}

/** The texts of earlier records, because an event contains only their ids. */
export interface KnownTexts {
  /** Id and topic of a decision, such as `d_2 Signature`. The id alone if the topic is not known. */
  decision(id: string): string;
  isAccepted(id: string): boolean;
  /** The text of a question, an intervention, a finding or a recommendation. Empty if the text is not known. */
  words(id: string): string;
  /**
   * The id of a record with the first words of the text that `words` returns. The id alone if this text is not known.
   */
  named(id: string): string;
  /** The text of a readiness question of a builder. Empty if the text is not known. */
  readinessQuestion(asked: ReadinessQuestionId): string;
  /** The title of a scenario in the latest revision. Empty if the title is not known. */
  scenario(id: string): string;
}

/** What the words of an event need besides the event: records of earlier events, and the names of the roles. */
export interface Context {
  readonly ids: KnownTexts;
  readonly nameOf: (role: string) => string;
  readonly say: Voice;
  /** The role that sent the event. */
  readonly from: string;
}

/** The words of the events of a catalogue, by kind. The compiler refuses a catalogue of which a kind has no words. */
export type Words<T extends EventCatalog> = {
  readonly [K in keyof T as T[K] extends { readonly silent: true } ? never : K]: (
    body: BodyOf<T[K]>,
    context: Context,
  ) => EventText;
};

/** A text with a heading. `text` is shown below the heading. */
export const headed = (heading: string, text?: string): EventText => (text ? { heading, text } : { heading });

/** A part for each text. Empty and missing texts are left out. */
export const labelled = (label: string, texts: readonly (string | undefined)[], tone?: PartTone): Part[] =>
  texts.flatMap((text) => (text ? [{ label, ...(tone && { tone }), text }] : []));

export const evidenceIn = (evidence: StoredEvidence = []): Evidence[] =>
  evidence.map(({ kind, reference, excerpt = '' }) => ({ source: `${kind} ${reference}`.trim(), excerpt }));

export const evidenceParts = (evidence?: StoredEvidence): Part[] =>
  evidenceIn(evidence).map((item) => ({ label: 'evidence', evidence: [item] }));

/** What an answer says, below what was asked if that is known. */
export function replying(verb: string, id: string, { text, ids }: { text: string; ids: KnownTexts }): EventText {
  const heading = `${verb} ${id}`;
  const asked = ids.words(id);
  if (!asked) return { heading, text };
  return {
    heading,
    parts: [
      { label: 'question', text: asked },
      { label: 'answer', text },
    ],
  };
}

export const hashPart = ({ content_hash }: { readonly content_hash: string }): Part => ({
  label: 'content_hash',
  text: content_hash,
});

/** The commits of both builders. */
export const commitParts = (
  { agent_a, agent_b }: { readonly agent_a: string; readonly agent_b: string },
  nameOf: Context['nameOf'],
): Part[] => [
  { label: 'commit', text: `${agent_a} of ${nameOf('agent_a')}` },
  { label: 'commit', text: `${agent_b} of ${nameOf('agent_b')}` },
];
