import { useMemo } from 'preact/hooks';
import { recordPath } from '../../../src/text/record-address.ts';
import type { SessionView } from '../api/types.ts';
import { go, tabOfRecord, toSession } from '../state/route.ts';
import { openId } from '../state/side-panel.ts';
import type { IdLinks } from '../ui/text/linked-text.tsx';
import { shownParts } from './shown-parts.ts';

/**
 * Returns the functions that make links of ids: ids of records of the session, and ids of parts of the shown contract.
 * Null without a view.
 */
export function useIdLinks(view: SessionView | null): IdLinks | null {
  const records = view ? recordIds(view).join(' ') : '';
  return useMemo(() => {
    if (!view) return null;
    const known = new Set(records.split(' '));
    return {
      addressOf(id) {
        if (known.has(id) || (view.left_out && tabOfRecord(id))) return recordPath(view.session_id, id);
        return shownParts.value.has(id) ? `${toSession(view.session_id, 'contract')}#part-${id}` : undefined;
      },
      open(id) {
        if (id.startsWith('r_')) go(recordPath(view.session_id, id));
        else openId(id);
      },
    };
  }, [records, view?.session_id, shownParts.value]);
}

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
