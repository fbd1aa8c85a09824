import type { SessionView } from '../../api/types.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge } from '../../ui/text/shown.tsx';
import { Ids, Texts } from './values.tsx';

type Mapping = NonNullable<SessionView['preflight']>['mappings'][number];

const GROUPS = ['decisions', 'tasks', 'tests', 'gates'] as const satisfies readonly (keyof Mapping)[];

interface RequirementBodyProps {
  readonly view: SessionView;
  readonly requirementId: string;
}

/** A requirement with its acceptance criteria, and the parts of the contract that meet it according to the author's preflight. */
export function RequirementBody({ view, requirementId }: RequirementBodyProps) {
  const { preflight, requirements } = view;
  const requirement = requirements.find(({ requirement_id }) => requirement_id === requirementId);
  const criteria = requirement?.acceptance_criteria ?? [];
  const mapping = preflight?.mappings.find(({ requirement_id }) => requirement_id === requirementId);
  const missing = preflight?.faults.find(({ requirement_id }) => requirement_id === requirementId)?.missing ?? [];
  return (
    <>
      <p>
        <LinkedText text={requirement?.text ?? ''} />
      </p>
      {criteria.length > 0 && (
        <dl class="fields">
          <div>
            <dt>Accepted when</dt>
            <dd>
              <Texts texts={criteria} />
            </dd>
          </div>
        </dl>
      )}
      {preflight && !mapping && <Badge tone="bad">not mapped</Badge>}
      {mapping && (
        <p class="facts">
          {GROUPS.filter((group) => mapping[group].length > 0).map((group) => (
            <span key={group}>
              {group} <Ids ids={mapping[group]} />
            </span>
          ))}
        </p>
      )}
      {missing.length > 0 && (
        <p>
          <Badge tone="bad">not in the contract:</Badge> <Ids ids={missing} />
        </p>
      )}
      {mapping?.note && (
        <p class="muted">
          <LinkedText text={mapping.note} />
        </p>
      )}
    </>
  );
}
