import { findingTexts, responseTexts } from './areas/findings/words.ts';
import { answerTexts, interventionTexts, recommendationTexts } from './areas/interventions/words.ts';
import { decisionTexts } from './areas/planning/words.ts';
import { isRecord } from './kernel/text/json-value.ts';

/* The texts of records: what the command line and the console show as paragraphs. */

type Labels = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** A text of a record, with its label. */
export interface RecordText {
  /** The member of the record that has the text. */
  readonly member: string;
  readonly label: string;
  readonly text: string;
}

/** The content of a record, by its type. In lists, a closed record lacks it. */
const CONTENT = {
  decision: decisionTexts,
  finding: findingTexts,
  intervention: interventionTexts,
  recommendation: recommendationTexts,
};

/** The content of the responses to a record. */
const RESPONSES: Labels = { ...responseTexts, ...answerTexts };

/** The texts that a record has besides its content, by its type. */
const OTHERS: Readonly<Record<string, Labels>> = {
  decision: { reason: 'reason' },
  question: { text: 'text', answer: 'answer' },
  action: { text: 'text' },
  revision: { reason: 'reason' },
  finding: { override_reason: 'override reason' },
  hold: { reason: 'reason' },
  moderator_review: { summary: 'summary', override_reason: 'override reason' },
  defect: { waiver_reason: 'waiver reason' },
  followup: { text: 'text' },
};

/** The texts of a part of the contract. */
const PART: Labels = { text: 'text', description: 'description', condition: 'condition' };

export type ContentType = keyof typeof CONTENT;

/** The texts of the content of a record and of the responses to it. Empty if the record is closed and from a list. */
export const contentTexts = (type: ContentType, record: Json): RecordText[] => [
  ...textsIn(record, CONTENT[type]),
  ...[record.response, ...(Array.isArray(record.responses) ? record.responses : [])]
    .filter(isRecord)
    .flatMap((response) => textsIn(response, RESPONSES)),
];

/**
 * The texts that stand directly in a record, in the order of its members.
 *
 * @param type the type of the record, or of the part of the contract
 */
export function recordTexts(type: string, record: Json): RecordText[] {
  const content: Readonly<Record<string, Labels>> = CONTENT;
  const labels = { ...content[type], ...OTHERS[type] };
  return textsIn(record, Object.keys(labels).length === 0 ? PART : labels);
}

const textsIn = (record: Json, labels: Labels): RecordText[] =>
  Object.entries(record).flatMap(([member, text]) => {
    const label = Object.hasOwn(labels, member) ? labels[member] : undefined;
    return label !== undefined && typeof text === 'string' ? [{ member, label, text }] : [];
  });
