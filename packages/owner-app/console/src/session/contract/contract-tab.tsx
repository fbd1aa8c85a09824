import { useSignal } from '@preact/signals';
import type { Blockers, Plan } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure } from '../../ui/failure.tsx';
import { useRead } from '../../ui/use-read.ts';
import { ApprovePanel } from './approve-panel.tsx';
import { BlockersPanel } from './blockers-panel.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { PreflightPanel } from './preflight-panel.tsx';
import { ReadinessPanel } from './readiness-panel.tsx';
import { ReviewsPanel } from './reviews-panel.tsx';
import { RevisionReader } from './revision-reader.tsx';
import { ValidationPanel } from './validation-panel.tsx';
import '../../styles/contract.css';

/** The contract with its blockers, findings and reviews, and its approval. */
export function ContractTab({ live }: { readonly live: LiveSession }) {
  const path = `/sessions/${live.sessionId}`;
  const version = live.version.value;
  const { value: plan, error } = useRead<Plan>(`${path}/plan`, version);
  const { value: blockers } = useRead<Blockers>(`${path}/blockers`, version);
  const chosen = useSignal<string | null>(null);
  const view = live.view.value;
  if (!view || !plan || !blockers) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  const latest = plan.revision_id;
  return (
    <div class="contract-tab">
      {latest === null ? (
        <p class="empty">There is no contract revision yet. The Contract Author writes it once it is elected.</p>
      ) : (
        <ApprovePanel live={live} view={view} plan={plan} blockers={blockers} />
      )}
      {view.manifest && <ReadinessPanel live={live} view={view} />}
      <BlockersPanel blockers={blockers} />
      {latest !== null && (
        <>
          <RevisionReader
            live={live}
            view={view}
            plan={plan}
            revisionId={chosen.value ?? latest}
            onChoose={(id) => {
              chosen.value = id === latest ? null : id;
            }}
          />
          <PreflightPanel view={view} />
          <ValidationPanel plan={plan} />
          <ReviewsPanel live={live} view={view} />
        </>
      )}
      <FindingsPanel live={live} view={view} />
    </div>
  );
}
