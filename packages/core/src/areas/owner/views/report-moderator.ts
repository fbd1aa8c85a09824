import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import type { Hold } from '../../holds/state.ts';
import { recommendationEvents } from '../../recommendations/events.ts';
import type { Recommendation } from '../../recommendations/state.ts';
import type { ReportedEntry } from '../../rendering/report/facts.ts';
import type { ModeratorReview } from '../../reviews/moderator-state.ts';
import type { SessionState } from '../../state.ts';
import { interventionEntry } from './report-owner.ts';

/** Maximum number of rejected recommendations whose texts are read for a report, from the newest. */
const MAX_READ = 50;

/** Numbers of the events with the recommendations whose texts the state does not contain. */
export const moderatorSeqs = ({ recommendations }: SessionState): number[] =>
  valuesOf(recommendations.all)
    .flatMap(({ text, seq }) => (text === null ? [seq] : []))
    .slice(-MAX_READ);

/** Reviews, recommendations, holds and questions of the moderator, with what the owner or an agent answered. */
export const moderatorEntries = (state: SessionState, loaded: readonly LoggedEvent[]): ReportedEntry[] =>
  [
    ...valuesOf(state.moderatorReviews).map(reviewEntry),
    ...valuesOf(state.recommendations.all).map((one) => recommendationEntry(one, loaded)),
    ...valuesOf(state.holds.all).map((hold) => holdEntry(state, hold)),
    ...valuesOf(state.interventions.all)
      .filter(({ from }) => from === 'moderator')
      .map((one) => interventionEntry(state, one)),
  ].toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));

function reviewEntry({
  revisionId,
  verdict,
  summary,
  at,
  overrideReason,
  isOverruled,
}: ModeratorReview): ReportedEntry {
  const answers = [
    ...(overrideReason === null ? [] : [{ by: 'Overridden by the owner', text: overrideReason }]),
    ...(isOverruled ? [{ by: 'The owner requested changes to this revision', text: '' }] : []),
  ];
  return { what: `Review of ${revisionId}, ${verdict}`, at, text: summary, answers };
}

function recommendationEntry(
  { recommendationId: id, recommendation, text, at, seq, answer }: Recommendation,
  loaded: readonly LoggedEvent[],
): ReportedEntry {
  const stored = loaded.find((event) => event.seq === seq);
  const said = text ?? recommendationEvents['recommendation.made'].data.safeParse(stored?.data).data?.text ?? '';
  const answers = [
    answer
      ? { by: `Answer of the owner, ${answer.decision}`, text: answer.note ?? '' }
      : { by: 'The owner did not answer', text: '' },
  ];
  return { id, what: `Recommendation ${recommendation}`, at, text: said, answers };
}

function holdEntry({ findings }: SessionState, { holdId: id, findingId, reason, at, released }: Hold): ReportedEntry {
  const finding = lookUp(findings.all, findingId)?.text;
  const answers = [
    ...(finding ? [{ by: `Finding ${findingId}`, text: finding }] : []),
    released
      ? { by: `Released, ${RELEASES[released.cause]}`, text: released.reason ?? '' }
      : { by: 'Still active', text: '' },
  ];
  return { id, what: `Hold on ${findingId}`, at, text: reason, answers };
}

const RELEASES = {
  MODERATOR: 'by the moderator',
  OWNER: 'by the owner',
  FINDING_CLOSED: 'because its finding was closed',
} as const;
