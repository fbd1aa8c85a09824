import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { text } from '../fields.ts';
import { pageCall } from '../listing.ts';
import type { SessionState } from '../state.ts';
import type { PreflightView } from './record.ts';
import { preflightFaults } from './rules.ts';

const Targets = z.array(text(60)).max(200).optional();

export const MappingInput = z.strictObject({
  requirement_id: text(60),
  decisions: Targets,
  tasks: Targets,
  tests: Targets,
  gates: Targets,
  note: text(2_000).optional(),
});

/**
 * Adds the preflight to an answer.
 * @param after number of mappings to skip
 */
export function listPreflight(
  lists: BoundedLists,
  { preflight, contract: { outline } }: SessionState,
  after = 0,
): () => z.output<typeof PreflightView> | null {
  if (!preflight) return () => null;
  const faults = outline ? preflightFaults(outline, preflight.mappings) : [];
  const missing = new Map(faults.map((fault) => [fault.requirement_id, fault.missing]));
  const mappings = lists.list({
    records: preflight.mappings.slice(after).map((mapping, index) => ({ mapping, place: after + index + 1 })),
    view: ({ mapping }) => ({ mapping, missing: missing.get(mapping.requirement_id) }),
    how: (last) => pageCall('get_preflight', last?.place ?? 0),
  });
  return () => ({
    ...preflight,
    mappings: mappings().map(({ mapping }) => mapping),
    complete: outline !== null && faults.length === 0,
    faults: mappings().flatMap((shown) =>
      shown.missing ? [{ requirement_id: shown.mapping.requirement_id, missing: shown.missing }] : [],
    ),
  });
}
