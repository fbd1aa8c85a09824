import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BuilderRole } from '../fields.ts';

const ManifestArtifact = z.strictObject({
  filename: z.string(),
  sha256: z.string(),
  bytes: z.int().describe('Bytes of UTF-8.'),
  media_type: z.string(),
  assigned_to: z.array(BuilderRole).describe('Builders that must confirm the artifact.'),
});

/** The list of the artifacts, frozen by the owner's approval (domain 8). */
export const Manifest = namedObject('Manifest', {
  manifest_id: z.string(),
  revision_id: z.string(),
  content_hash: z.string(),
  shared_contract_sha256: z.string(),
  handshake_sha256: z.string(),
  fixture_version: z.string(),
  artifacts: z.array(ManifestArtifact),
  frozen_at: z.string(),
  manifest_sha256: z.string().describe('SHA-256 of the RFC 8785 form of the manifest without this member.'),
});
export type Manifest = z.output<typeof Manifest>;
export type ManifestArtifact = z.output<typeof ManifestArtifact>;

const Noted = { note: z.string().optional() };

/** Numbers of the events of the other approvals that counted. Absent if the step needs one approver, and in old events. */
const Counted = { approvals: z.array(z.int()).optional() };

/**
 * Data of the authorization of the deployment or the activation. `commits` are the commits that the builders had
 * declared when all certification checks passed.
 */
const Released = {
  manifest_id: z.string(),
  commits: z.strictObject({ agent_a: z.string(), agent_b: z.string() }),
  ...Noted,
  ...Counted,
};

export const manifestEvents = defineEvents({
  'contract.approved': message(
    {
      revision_id: z.string(),
      content_hash: z.string(),
      manifest: Manifest,
      /**
       * The readiness questions of each builder. Absent in old events, for which the questions are derived from the
       * outline of the contract.
       */
      questions: z.strictObject({ agent_a: z.array(z.string()), agent_b: z.array(z.string()) }).optional(),
      ...Counted,
    },
    { omit: ['questions', 'approvals'] },
  ),
  'receipt.confirmed': message({ manifest_id: z.string(), filename: z.string(), sha256: z.string() }),
  'build.authorized': message({ manifest_id: z.string(), revision_id: z.string(), content_hash: z.string(), ...Noted }),
  'deployment.authorized': message(Released, { omit: ['approvals'] }),
  'activation.authorized': message(Released, { omit: ['approvals'] }),
});

export const READINESS_VERDICTS = ['READY_TO_CODE', 'BLOCKED'] as const;

export const readinessEvents = defineEvents({
  'readiness.submitted': message(
    {
      manifest_id: z.string(),
      revision_id: z.string(),
      verdict: z.enum(READINESS_VERDICTS),
      blockers: z.array(z.string()),
      answers: z.array(z.strictObject({ question_id: z.string(), answer: z.string() })),
      /**
       * The reasons for which READY_TO_CODE would have been refused with the same answers. Empty unless the verdict is
       * BLOCKED.
       */
      mismatches: z.array(z.string()),
    },
    {
      // Each builder must answer without reading the other's answers, so agents can read no answers before both builders
      // are ready.
      withheld: ['answers'],
    },
  ),
  'readiness.checked': message(
    {
      manifest_id: z.string(),
      /** The builder whose answers the actor of the event has checked. */
      answers_of: BuilderRole,
      /** Number of the event that contains the checked answers. */
      report: z.int(),
      /**
       * Ids of the questions whose answers the actor has confirmed, and ids of the questions whose answers an open
       * finding of the actor disputes.
       */
      confirmed: z.array(z.string()),
      disputed: z.array(z.string()),
    },
    { omit: ['report'] },
  ),
});
