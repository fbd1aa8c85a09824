import { useEffect } from 'preact/hooks';
import type { LiveSession } from '../../state/live-session.ts';
import { goToElement, useFragment } from '../../ui/controls/go-to-element.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useCall } from '../../ui/requests/use-read.ts';
import { LeftOut } from '../../ui/text/left-out.tsx';
import { shownScenarios } from '../shown-parts.ts';
import { useAllEvents } from '../use-all-events.ts';
import { CarryButton } from './carry-button.tsx';
import { CertificationPanel } from './certification-panel.tsx';
import { DefectsPanel } from './defects-panel.tsx';
import { HandshakesPanel } from './handshakes-panel.tsx';
import { ScenarioGraph } from './scenario-graph.tsx';
import { ScenarioItem } from './scenario-item.tsx';
import { WorkflowsPanel } from './workflows-panel.tsx';
import '../../styles/verify.css';

/** Matches the ids of the elements for scenarios. */
const SCENARIO = /^scenario-[\w.-]+$/;

/** The tab with the test board: scenarios with their evidence, defects, and the certification checks. */
export function VerifyTab({ live }: { readonly live: LiveSession }) {
  const { value: board, error } = useCall('board', { session_id: live.sessionId }, live.version.value);
  const view = live.view.value;
  // The board does not contain the claims, summaries and assertions of the evidence. `evidenceIn` reads them from the
  // events.
  useAllEvents(live);
  useEffect(() => {
    if (board) shownScenarios.value = new Set(board.scenarios.map(({ scenario_id }) => scenario_id));
  }, [board]);
  useFragment(view !== null && board !== null, SCENARIO, goToElement);
  if (!view || !board) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  if (board.manifest_id === null)
    return <p class="empty">Nothing to verify yet: the board opens when you approve a contract.</p>;
  return (
    <div class="verify-tab">
      <CertificationPanel live={live} view={view} board={board} />
      <HandshakesPanel board={board} />
      <WorkflowsPanel live={live} board={board} />
      <DefectsPanel live={live} view={view} board={board} />
      <section class="card" aria-labelledby="scenarios-head">
        <h2 id="scenarios-head">Scenarios ({board.scenarios.length})</h2>
        <LeftOut of={board.left_out} />
        {board.scenarios.length > 0 && <ScenarioGraph scenarios={board.scenarios} />}
        <ul class="scenarios">
          {board.scenarios.map((scenario) => (
            <ScenarioItem key={scenario.scenario_id} scenario={scenario} events={live.events.value} isTarget>
              <CarryButton {...{ live, view, board }} scenarioId={scenario.scenario_id} />
            </ScenarioItem>
          ))}
        </ul>
      </section>
    </div>
  );
}
