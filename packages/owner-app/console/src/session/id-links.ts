import { useMemo } from 'preact/hooks';
import { recordPath } from '../../../src/text/record-address.ts';
import type { SessionView } from '../api/answers.ts';
import { go, openId, tabOfRecord, toMessage, toSession } from '../state/route.ts';
import type { IdLinks } from '../ui/text/linked-text.tsx';
import { scenarioElement, shownParts, shownScenarios } from './shown-parts.ts';

/**
 * Returns the functions that make links of ids: ids of records of the session, of parts of the shown contract, and of
 * scenarios on the tab Verify. Null without a view.
 */
export function useIdLinks(view: SessionView | null): IdLinks | null {
  const records = view ? recordIds(view).join(' ') : '';
  const hasManifest = view?.manifest != null;
  return useMemo(() => {
    if (!view) return null;
    const known = new Set(records.split(' '));
    // The view lists neither defects nor follow-ups.
    const isRecord = (id: string): boolean =>
      known.has(id) ||
      (view.left_out !== undefined && tabOfRecord(id) !== undefined) ||
      (hasManifest && tabOfRecord(id) === 'verify') ||
      tabOfRecord(id) === 'log';
    return {
      addressOf(id) {
        if (isRecord(id)) return recordPath(view.session_id, id);
        if (shownParts.value.has(id)) return `${toSession(view.session_id, 'contract')}#part-${id}`;
        return shownScenarios.value.has(id) ? toScenario(view.session_id, id) : undefined;
      },
      addressOfMessage: (number) => toMessage(view.session_id, number),
      open(id) {
        if (id.startsWith('r_')) go(recordPath(view.session_id, id));
        else if (!isRecord(id) && !shownParts.value.has(id)) go(toScenario(view.session_id, id));
        else openId(id);
      },
    };
  }, [records, view?.session_id, hasManifest, shownParts.value, shownScenarios.value]);
}

/** The address of a scenario on the tab Verify. */
export const toScenario = (sessionId: string, scenarioId: string): string =>
  `${toSession(sessionId, 'verify')}#${scenarioElement(scenarioId)}`;

const recordIds = (view: SessionView): string[] => [
  ...view.decisions.map(({ decision_id }) => decision_id),
  ...view.questions.map(({ question_id }) => question_id),
  ...view.interventions.map(({ intervention_id }) => intervention_id),
  ...view.actions.map(({ action_id }) => action_id),
  ...view.findings.map(({ finding_id }) => finding_id),
  ...view.revisions.map(({ revision_id }) => revision_id),
  ...view.holds.map(({ hold_id }) => hold_id),
  ...view.recommendations.map(({ recommendation_id }) => recommendation_id),
];
