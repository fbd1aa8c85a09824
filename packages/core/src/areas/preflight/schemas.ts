import { z } from 'zod';
import { At, RevisionId, text } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { preflightFaults } from './rules.ts';
import { StoredMapping } from './state.ts';

const targets = (what: string) =>
  z.array(text(60)).max(200).optional().describe(`Ids of ${what} in the latest revision.`);

export const MappingInput = z.strictObject({
  requirement_id: text(60),
  decisions: targets('decisions'),
  tasks: targets('tasks'),
  tests: targets('tests'),
  gates: targets('gates'),
  note: text(2_000).optional(),
});

export const PreflightView = z.strictObject({
  revision_id: RevisionId.describe('The revision it was submitted against.'),
  mappings: z.array(StoredMapping),
  submitted_at: At,
  complete: z.boolean().describe('Whether every target is still in the latest revision.'),
  faults: z.array(z.strictObject({ requirement_id: z.string(), missing: z.array(z.string()) })),
});

export function viewPreflight({
  preflight,
  contract: { outline },
}: SessionState): z.output<typeof PreflightView> | null {
  if (!preflight) return null;
  const faults = outline ? preflightFaults(outline, preflight.mappings) : [];
  return {
    revision_id: preflight.revisionId,
    mappings: preflight.mappings.map((mapping) => ({ ...mapping })),
    submitted_at: preflight.at,
    complete: outline !== null && faults.length === 0,
    faults: faults.map(({ requirementId, missing }) => ({ requirement_id: requirementId, missing: [...missing] })),
  };
}
