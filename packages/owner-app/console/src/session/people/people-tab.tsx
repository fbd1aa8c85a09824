import type { LiveSession } from '../../state/live-session.ts';
import { AccessPanel } from './access-panel.tsx';
import { HoldsPanel } from './holds-panel.tsx';
import { ModeratorPanel } from './moderator-panel.tsx';
import { NextSteps } from './next-steps.tsx';
import { RecommendationsPanel } from './recommendations-panel.tsx';
import '../../styles/people.css';

/** The tab about the participants: invitations, tokens, and the moderator's permissions. */
export function PeopleTab({ live }: { readonly live: LiveSession }) {
  const view = live.view.value;
  if (!view) return null;
  return (
    <div class="people-tab">
      <NextSteps view={view} />
      <AccessPanel live={live} view={view} />
      {view.state.status !== 'ENDED' && <ModeratorPanel live={live} view={view} />}
      <HoldsPanel live={live} view={view} />
      <RecommendationsPanel live={live} view={view} />
    </div>
  );
}
