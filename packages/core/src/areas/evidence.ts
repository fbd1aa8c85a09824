import { z } from 'zod';
import { EXCERPT_MAX_CHARS } from '../kernel/limits.ts';
import { documented, namedObject } from '../kernel/operation/documented.ts';
import { text } from './fields.ts';

/**
 * How evidence came about, from the weakest level to the strongest: an agent has written it; it is a run in the form that
 * `parley verify run` sends; a workflow that the owner has bound has sent it.
 */
export const EVIDENCE_LEVELS = ['claimed', 'recorded', 'ci'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

export const EvidenceLevelName = z
  .enum(EVIDENCE_LEVELS)
  .describe(
    'claimed: written by an agent. recorded: sent in the form of parley verify run; an agent can forge it. ci: sent by a bound workflow.',
  )
  .register(documented, { id: 'EvidenceLevel' });

/** The weakest of some levels. Null if there are none. */
export const lowestLevel = (levels: readonly EvidenceLevel[]): EvidenceLevel | null =>
  EVIDENCE_LEVELS.find((level) => levels.includes(level)) ?? null;

/** A reference by which a reader can check a claim. Spec 2 and 8: an excerpt has at most 600 characters. */
export const EvidenceItem = namedObject('EvidenceItem', {
  kind: z.enum(['file', 'command', 'log', 'test', 'url', 'document', 'other']),
  reference: text(500).describe('Command, test, address, or path with line.'),
  excerpt: z
    .string()
    .max(EXCERPT_MAX_CHARS, `Must have at most ${EXCERPT_MAX_CHARS} characters.`)
    .optional()
    .describe('The lines that matter.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex digits.')
    .optional(),
});

export const EvidenceItems = z.array(EvidenceItem).max(50).register(documented, { id: 'EvidenceItems' });

/** Evidence as events store it. The limits of an input may change; stored events stay readable. */
export const StoredEvidence = z.array(
  z.strictObject({
    kind: z.string(),
    reference: z.string(),
    excerpt: z.string().optional(),
    sha256: z.string().optional(),
  }),
);
export type StoredEvidence = z.output<typeof StoredEvidence>;

export const EvidenceRefs = z.array(z.record(z.string(), z.unknown())).describe('Kind and reference of each item.');

export const viewEvidenceRefs = (evidence: readonly Readonly<Record<string, unknown>>[]) =>
  evidence.map(({ kind, reference }) => ({ kind, reference }));
