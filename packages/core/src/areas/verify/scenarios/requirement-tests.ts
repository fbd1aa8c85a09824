import type { Outline } from '../../document/outline.ts';
import type { SessionState } from '../../state.ts';

/** The tests of the latest contract that name a requirement, or to which the preflight maps the requirement. */
export function testsOfRequirement(
  { contract: { outline }, preflight }: SessionState,
  requirementId: string,
): Outline['tests'] {
  const mapping = preflight?.mappings.find((candidate) => candidate.requirement_id === requirementId);
  return (outline?.tests ?? []).filter(
    ({ id, requirements }) => requirements.includes(requirementId) || mapping?.tests.includes(id),
  );
}
