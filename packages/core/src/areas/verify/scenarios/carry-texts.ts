import { plural } from '../../../kernel/counted.ts';
import { shortCommit } from '../commits.ts';
import type { StalePass } from './carry.ts';

/** A stale pass and what was declared, in words without a full stop: `test-1/2 is stale; agent_a declares 3 changed paths since a1b2c3d4e5f6`. */
export function staleWords(id: string, { pass, changes }: StalePass): string {
  const declared = changes.map(
    ({ declared_by, since, paths }) =>
      `${declared_by} declares ${plural(paths, 'changed path')} since ${shortCommit(since)}`,
  );
  return `${id}/${pass.attempt} is stale; ${declared.join(' and ') || 'the commits are those of the pass again'}`;
}
