import type { Domain } from '../kernel/operation/operation.ts';
import { authenticate, authenticateInvitation, checkScope } from './access/rules.ts';
import { sessionCatalog } from './catalog.ts';
import { inspectInput } from './credentials/rules.ts';
import { FOLD_VERSION } from './fold-version.ts';
import { checkLimits } from './limits.ts';
import { settleNotices } from './notices/rules.ts';
import { openRecords } from './open-records.ts';
import { inboxPlaceByLog } from './session/owner-waits/owner-waits.ts';
import { checkLifecycle } from './session/rules.ts';
import { emptySession, evolveSession, type SessionState } from './state.ts';
import { settleTasks } from './tasks/agent-tasks.ts';

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
