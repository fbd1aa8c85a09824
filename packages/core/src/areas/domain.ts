import type { LoggedEvent } from '../kernel/log/event.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import type { Domain } from '../kernel/operation/operation.ts';
import { isRecord } from '../kernel/text/json-value.ts';
import { authenticate, authenticateInvitation, checkScope } from './access/rules.ts';
import { type SessionEvent, sessionCatalog } from './catalog.ts';
import { inspectInput } from './credentials/rules.ts';
import { activeHolds } from './findings/rules.ts';
import { refuseManyInterventions, refuseManyRecommendations } from './interventions/rules.ts';
import { settleNotices } from './notices/rules.ts';
import { checkQuota } from './quotas/rules.ts';
import { inboxPlaceByLog } from './session/owner-waits/owner-waits.ts';
import { checkLifecycle } from './session/rules.ts';
import { emptySession, evolveSession, type SessionState } from './state.ts';
import { settleTasks } from './tasks/agent-tasks.ts';

/**
 * Version of the fold. It is stored with each snapshot, and snapshots of another version are ignored. Raise it by one
 * if a log now folds into another state, if a state is serialised to another text, or if a kind of event is added. The
 * test of the stored logs fails if the version was not raised.
 */
export const FOLD_VERSION = 15;

/** Refuses a write that would go beyond a limit, unless it repeats an open record: for such a record no limit matters. */
const checkLimits: Domain<SessionState>['checkLimits'] = (state, role, drafts, limits) => {
  for (const { kind } of drafts) {
    if (kind === 'intervention.opened') refuseManyInterventions(state.interventions, role, limits);
    if (kind === 'recommendation.made') refuseManyRecommendations(state.recommendations, limits);
  }
  checkQuota(state, role, drafts);
};

/**
 * Which records of its author an event may repeat, for each kind of event with which an agent makes an open record or adds a
 * note to a completed action. Events of all other kinds are stored each time: `decide` itself leaves out what a repeated call
 * would not change, such as a second acceptance, and some calls mean more each time, such as a heartbeat, another validation, or another item of evidence.
 */
const openRecords: Domain<SessionState>['openRecords'] = (state, logged: LoggedEvent, input) => {
  const event = logged as SessionEvent;
  const { actor } = event;
  switch (event.kind) {
    case 'action.completed':
    case 'action.settled': {
      const { completed_seq } = lookUp(state.actions.all, event.data.action_id) ?? {};
      return { seqs: completed_seq === undefined ? [] : [completed_seq], apart: [] };
    }
    case 'finding.raised': {
      const { all, open } = state.findings;
      const own = open.flatMap((id) => lookUp(all, id) ?? []).filter(({ raised_by }) => raised_by === actor);
      // A call that names no revision speaks of the finding, whatever is the latest revision.
      const apart = ['finding_id', ...(isRecord(input) && 'revision_id' in input ? [] : ['revision_id'])];
      return { seqs: own.map(({ seq }) => seq), apart };
    }
    case 'hold.opened':
      return { seqs: activeHolds(state.holds).map(({ seq }) => seq), apart: ['hold_id'] };
    case 'intervention.opened': {
      const { all, standing } = state.interventions;
      const own = standing.flatMap((id) => lookUp(all, id) ?? []).filter(({ from }) => from === actor);
      return { seqs: own.map(({ seq }) => seq), apart: ['intervention_id'] };
    }
    case 'recommendation.made': {
      const { all, open } = state.recommendations;
      return { seqs: open.flatMap((id) => lookUp(all, id)?.seq ?? []), apart: ['recommendation_id'] };
    }
    default:
      return undefined;
  }
};

/** The functions and tables that the areas provide to the kernel. */
export const domain: Domain<SessionState> = {
  catalog: sessionCatalog,
  foldVersion: FOLD_VERSION,
  empty: emptySession,
  evolve: (state, event) => settleNotices(evolveSession(state, event)),
  authenticate,
  authenticateInvitation,
  checkScope,
  checkLifecycle,
  checkLimits,
  openRecords,
  inspectInput,
  settleObligations: settleTasks,
  listing: ({ profile: { title, status, phase, created_at: createdAt } }) => ({ title, status, phase, createdAt }),
  inboxPlace: inboxPlaceByLog,
};
