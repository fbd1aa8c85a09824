import type { SessionView } from '../../api/types.ts';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, When } from '../../ui/text/shown.tsx';
import { Ids } from '../reading/values.tsx';

type Preflight = NonNullable<SessionView['preflight']>;

/**
 * Shows whether the preflight exists and matches the contract. The contract's section of requirements shows the
 * mappings.
 */
export function PreflightPanel({ view }: { readonly view: SessionView }) {
  const { preflight, requirements } = view;
  const unmet = requirements.filter(
    ({ requirement_id }) => !preflight?.mappings.some((mapping) => mapping.requirement_id === requirement_id),
  );
  return (
    <section class="card" aria-labelledby="preflight-head">
      <h2 id="preflight-head">
        Preflight <PreflightState preflight={preflight} />
      </h2>
      {preflight ? (
        <p class="muted">
          Submitted on {preflight.revision_id}, <When at={preflight.submitted_at} />. It maps{' '}
          <a href="#section-requirements">
            {preflight.mappings.length} of {requirements.length} requirements
          </a>{' '}
          to the parts of the contract that meet them.
        </p>
      ) : (
        <p class="muted">
          There is no preflight yet. In the preflight, the Contract Author maps each requirement to the decisions,
          tasks, tests and gates that meet it.
        </p>
      )}
      {preflight && (unmet.length > 0 || preflight.faults.length > 0) && (
        <ul class="preflight">
          {unmet.map(({ requirement_id }) => (
            <li key={requirement_id}>
              <p>
                <IdLink id={requirement_id} /> <Badge tone="bad">not mapped</Badge>
              </p>
            </li>
          ))}
          {preflight.faults.map(({ requirement_id, missing }) => (
            <li key={requirement_id}>
              <p>
                <IdLink id={requirement_id} /> <Badge tone="bad">not in the contract:</Badge> <Ids ids={missing} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function PreflightState({ preflight }: { readonly preflight: Preflight | null }) {
  if (!preflight) return <Badge tone="warn">not submitted</Badge>;
  return preflight.complete ? <Badge tone="good">complete</Badge> : <Badge tone="bad">no longer matches</Badge>;
}
