import type { SessionView } from '../../api/types.ts';
import { Badge, SafeText, When } from '../../ui/shown.tsx';

type Preflight = NonNullable<SessionView['preflight']>;
type Mapping = Preflight['mappings'][number];

/** The author's mapping of requirements to parts of the contract. */
export function PreflightPanel({ view }: { readonly view: SessionView }) {
  const { preflight, requirements } = view;
  return (
    <section class="card" aria-labelledby="preflight-head">
      <h2 id="preflight-head">
        Preflight <PreflightState preflight={preflight} />
      </h2>
      {preflight ? (
        <p class="muted">
          Submitted on {preflight.revision_id}, <When at={preflight.submitted_at} />
        </p>
      ) : (
        <p class="muted">The Contract Author maps each requirement to what meets it: decisions, tasks, tests, gates.</p>
      )}
      <ul class="preflight">
        {requirements.map(({ requirement_id, text }) => (
          <li key={requirement_id}>
            <p>
              <code>
                <SafeText text={requirement_id} />
              </code>{' '}
              <SafeText text={text} />
            </p>
            {preflight && <Targets preflight={preflight} requirementId={requirement_id} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PreflightState({ preflight }: { readonly preflight: Preflight | null }) {
  if (!preflight) return <Badge tone="warn">not submitted</Badge>;
  return preflight.complete ? <Badge tone="good">complete</Badge> : <Badge tone="bad">no longer fits</Badge>;
}

const GROUPS = ['decisions', 'tasks', 'tests', 'gates'] as const satisfies readonly (keyof Mapping)[];

function Targets({ preflight, requirementId }: { readonly preflight: Preflight; readonly requirementId: string }) {
  const mapping = preflight.mappings.find(({ requirement_id }) => requirement_id === requirementId);
  const missing = preflight.faults.find(({ requirement_id }) => requirement_id === requirementId)?.missing ?? [];
  if (!mapping) return <Badge tone="bad">nothing meets it</Badge>;
  return (
    <>
      <p class="facts">
        {GROUPS.filter((group) => mapping[group].length > 0).map((group) => (
          <span key={group}>
            {group} <Ids ids={mapping[group]} />
          </span>
        ))}
      </p>
      {missing.length > 0 && (
        <p>
          <Badge tone="bad">gone:</Badge> <Ids ids={missing} />
        </p>
      )}
      {mapping.note && (
        <p class="muted">
          <SafeText text={mapping.note} />
        </p>
      )}
    </>
  );
}

const Ids = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.map((id, index) => (
      <code key={id}>
        {index > 0 && ', '}
        <SafeText text={id} />
      </code>
    ))}
  </>
);
