import { code, exact, inline } from '../markdown.ts';
import { listOrNone } from '../wording.ts';

export interface DecidedText {
  readonly decision_id: string;
  readonly topic: string;
  readonly position: string;
}

/** A Markdown list of decisions, each with its id, its topic and its unchanged position. */
export const decisionList = (decisions: readonly DecidedText[]): string =>
  listOrNone(
    decisions.map(({ decision_id, topic, position }) => exact(`${code(decision_id)} ${inline(topic)}`, position, '  ')),
  );
