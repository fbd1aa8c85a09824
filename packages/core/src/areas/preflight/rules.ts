import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import type { Outline } from '../document/contract.ts';
import { text } from '../fields.ts';
import { pageCall } from '../listing.ts';
import type { SessionState } from '../state.ts';
import type { StoredMapping } from './events.ts';
import type { PreflightView } from './state.ts';

/** A fault of a mapping: the contract lacks at least one of the ids that the mapping names. */
export interface PreflightFault {
  readonly requirement_id: string;
  /** True if the contract contains none of the ids that the mapping names. */
  readonly isUnmapped: boolean;
  readonly missing: string[];
}

const TARGETS = ['decisions', 'tasks', 'tests', 'gates'] as const;

const targetsIn = ({ decisions, tasks, tests, gates }: Outline): Record<(typeof TARGETS)[number], Set<string>> => ({
  decisions: new Set(decisions),
  tasks: new Set(tasks.map(({ id }) => id)),
  tests: new Set(tests.map(({ id }) => id)),
  gates: new Set(gates.map(({ id }) => id)),
});

/** Whether there is a preflight and the latest revision contains every record that its mappings name. */
export const isMapped = ({ preflight, contract: { outline } }: SessionState): boolean =>
  preflight !== null && outline !== null && preflightFaults(outline, preflight.mappings).length === 0;

export function preflightFaults(outline: Outline, mappings: readonly StoredMapping[]): PreflightFault[] {
  const known = targetsIn(outline);
  return mappings.flatMap((mapping) => {
    const named = TARGETS.flatMap((kind) => mapping[kind].map((id) => ({ kind, id })));
    const missing = named.filter(({ kind, id }) => !known[kind].has(id));
    if (missing.length === 0) return [];
    return [
      {
        requirement_id: mapping.requirement_id,
        isUnmapped: missing.length === named.length,
        missing: missing.map(({ kind, id }) => `${kind}/${id}`),
      },
    ];
  });
}

/**
 * The mappings of the earlier preflight that stay, because the latest revision contains their records and `mappings`
 * does not map their requirements again.
 */
export function keptMappings(
  { preflight }: SessionState,
  outline: Outline,
  mappings: readonly StoredMapping[],
): StoredMapping[] {
  if (!preflight) return [];
  const replaced = new Set(mappings.map(({ requirement_id }) => requirement_id));
  for (const { requirement_id } of preflightFaults(outline, preflight.mappings)) replaced.add(requirement_id);
  return preflight.mappings.filter(({ requirement_id }) => !replaced.has(requirement_id));
}

export interface MappingIssue {
  readonly path: string;
  readonly message: string;
}

/**
 * Domain 7.7. The faults of a submitted preflight. Each requirement needs exactly one mapping with at least one target,
 * and the contract must contain every target.
 */
export function mappingIssues(
  outline: Outline,
  requirementIds: readonly string[],
  mappings: readonly StoredMapping[],
): MappingIssue[] {
  const known = targetsIn(outline);
  const required = new Set(requirementIds);
  const seen = new Set<string>();
  const issues: MappingIssue[] = [];
  for (const [index, mapping] of mappings.entries()) {
    const { requirement_id: id } = mapping;
    const path = `mappings[${index}].requirement_id`;
    if (!required.has(id)) issues.push({ path, message: 'Is not a requirement of the mission.' });
    else if (seen.has(id)) issues.push({ path, message: 'Maps this requirement a second time.' });
    seen.add(id);
    if (TARGETS.every((kind) => mapping[kind].length === 0))
      issues.push({ path: `mappings[${index}]`, message: 'Names no decision, task, test or gate.' });
    for (const kind of TARGETS) {
      for (const [position, target] of mapping[kind].entries()) {
        if (known[kind].has(target)) continue;
        issues.push({ path: `mappings[${index}].${kind}[${position}]`, message: 'Is not in the latest revision.' });
      }
    }
  }
  const left = requirementIds.filter((id) => !seen.has(id));
  return [...issues, ...left.map((id) => ({ path: 'mappings', message: `No mapping for requirement ${id}.` }))];
}

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
