import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import type { Hold } from '../../holds/record.ts';
import { recommendationEvents } from '../../recommendations/events.ts';
import type { Recommendation } from '../../recommendations/record.ts';
import type { ReportedEntry } from '../../rendering/report/facts.ts';
import type { ModeratorReview } from '../../reviews/moderator-record.ts';
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
  revision_id,
  verdict,
  summary,
  submitted_at,
  override_reason,
  overruled,
}: ModeratorReview): ReportedEntry {
  const answers = [
    ...(override_reason === null ? [] : [{ by: 'Overridden by the owner', text: override_reason }]),
    ...(overruled ? [{ by: 'The owner requested changes to this revision', text: '' }] : []),
  ];
  return { what: `Review of ${revision_id}, ${verdict}`, at: submitted_at, text: summary, answers };
}

function recommendationEntry(
  { recommendation_id: id, recommendation, text, made_at, seq, answer }: Recommendation,
  loaded: readonly LoggedEvent[],
): ReportedEntry {
  const stored = loaded.find((event) => event.seq === seq);
  const said = text ?? recommendationEvents['recommendation.made'].data.safeParse(stored?.data).data?.text ?? '';
  const answers = [
    answer
      ? { by: `Answer of the owner, ${answer.decision}`, text: answer.note ?? '' }
      : { by: 'The owner did not answer', text: '' },
  ];
  return { id, what: `Recommendation ${recommendation}`, at: made_at, text: said, answers };
}

function holdEntry(
  { findings }: SessionState,
  { hold_id: id, finding_id, reason, opened_at, released }: Hold,
): ReportedEntry {
  const finding = lookUp(findings.all, finding_id)?.text;
  const answers = [
    ...(finding ? [{ by: `Finding ${finding_id}`, text: finding }] : []),
    released
      ? { by: `Released, ${RELEASES[released.cause]}`, text: released.reason ?? '' }
      : { by: 'Still active', text: '' },
  ];
  return { id, what: `Hold on ${finding_id}`, at: opened_at, text: reason, answers };
}

const RELEASES = {
  MODERATOR: 'by the moderator',
  OWNER: 'by the owner',
  FINDING_CLOSED: 'because its finding was closed',
} as const;
