import { z } from 'zod';
import { memoizeBy } from '../../kernel/maps.ts';
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

const targetsIn = memoizeBy(
  ({ decisions, tasks, tests, gates }: Outline): Record<(typeof TARGETS)[number], Set<string>> => ({
    decisions: new Set(decisions),
    tasks: new Set(tasks.map(({ id }) => id)),
    tests: new Set(tests.map(({ id }) => id)),
    gates: new Set(gates.map(({ id }) => id)),
  }),
);

/** The mapping that the contract itself gives to each requirement that a task or a test of it names, by requirement_id. */
const namedIn = memoizeBy((outline: Outline): ReadonlyMap<string, StoredMapping> => {
  const mappings = new Map<string, StoredMapping>();
  for (const kind of ['tasks', 'tests'] as const)
    for (const { id, requirements = [] } of outline[kind])
      for (const requirement_id of requirements) {
        const mapping = mappings.get(requirement_id) ?? {
          requirement_id,
          decisions: [],
          tasks: [],
          tests: [],
          gates: [],
        };
        mappings.set(requirement_id, { ...mapping, [kind]: [...mapping[kind], id] });
      }
  return mappings;
});

/**
 * The requirements of the mission that nothing maps: no task and no test of the latest revision names them, and no mapping
 * of `mappings` is about them.
 */
export function unmappedIn(
  { profile }: SessionState,
  outline: Outline,
  mappings: readonly StoredMapping[] = [],
): string[] {
  const mapped = new Set([...namedIn(outline).keys(), ...mappings.map(({ requirement_id }) => requirement_id)]);
  return profile.requirements.flatMap(({ requirement_id: id }) => (mapped.has(id) ? [] : [id]));
}

/** Whether the contract or the preflight maps each requirement to records of the latest revision. */
export function isMapped(state: SessionState): boolean {
  const { preflight, contract } = state;
  if (!contract.outline) return false;
  const mappings = preflight?.mappings ?? [];
  return (
    unmappedIn(state, contract.outline, mappings).length === 0 &&
    preflightFaults(contract.outline, mappings).length === 0
  );
}

/** The faults of the mappings that count: those of requirements that no task and no test names. */
export function preflightFaults(outline: Outline, mappings: readonly StoredMapping[]): PreflightFault[] {
  const named = namedIn(outline);
  return faultsIn(outline, mappings).filter(({ requirement_id }) => !named.has(requirement_id));
}

function faultsIn(outline: Outline, mappings: readonly StoredMapping[]): PreflightFault[] {
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
  for (const { requirement_id } of faultsIn(outline, preflight.mappings)) replaced.add(requirement_id);
  return preflight.mappings.filter(({ requirement_id }) => !replaced.has(requirement_id));
}

export interface MappingIssue {
  readonly path: string;
  readonly message: string;
}

/**
 * Domain 7.7. The faults of a submitted preflight. Each requirement that no task and no test names needs a mapping. A
 * mapping has at least one target, and the contract must contain every target.
 */
export function mappingIssues(
  state: SessionState,
  outline: Outline,
  mappings: readonly StoredMapping[],
): MappingIssue[] {
  const known = targetsIn(outline);
  const required = new Set(state.profile.requirements.map(({ requirement_id }) => requirement_id));
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
  const left = unmappedIn(state, outline, mappings);
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
 * The mapping of each requirement: that of the preflight, or, without one that fits the latest revision, that of the
 * contract. Null if there is no preflight and the contract does not name every requirement.
 */
export function standingPreflight(
  state: SessionState,
): Omit<z.output<typeof PreflightView>, 'complete' | 'faults'> | null {
  const { preflight, profile, contract } = state;
  const { outline, latest } = contract;
  if (!outline || !latest || (!preflight && !isMapped(state)))
    return preflight && { ...preflight, mappings: [...preflight.mappings] };
  const { revision_id, mappings, submitted_at } = preflight ?? {
    revision_id: latest.revision_id,
    mappings: [],
    submitted_at: latest.created_at,
  };
  const named = namedIn(outline);
  const misfits = new Set(faultsIn(outline, mappings).map(({ requirement_id }) => requirement_id));
  const stands = ({ requirement_id: id }: StoredMapping): boolean => !misfits.has(id) || !named.has(id);
  const kept = mappings.filter(stands);
  const mapped = new Set(kept.map(({ requirement_id }) => requirement_id));
  const others = profile.requirements.flatMap(({ requirement_id: id }) =>
    mapped.has(id) ? [] : (named.get(id) ?? []),
  );
  return { revision_id, mappings: [...kept, ...others], submitted_at };
}

/**
 * Adds the preflight to an answer.
 * @param after number of mappings to skip
 */
export function listPreflight(
  lists: BoundedLists,
  state: SessionState,
  after = 0,
): () => z.output<typeof PreflightView> | null {
  const { outline } = state.contract;
  const preflight = standingPreflight(state);
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
