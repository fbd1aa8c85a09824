import { z } from 'zod';
import { defineEvents, message, ownersOnly } from '../../kernel/log/event-catalog.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import { BuilderRole } from '../fields.ts';

export const Forge = z.enum(['github', 'gitlab', 'gitea']).register(documented, { id: 'Forge' });

/** The statuses of a commit. A forge shows them as parley/contract and parley/verified. */
export const STATUS_CONTEXTS = ['contract', 'verified'] as const;

/** Where the commits of a builder are, as the owner has linked it. */
export const LinkFields = {
  role: BuilderRole,
  forge: Forge,
  /** The address below which the forge serves its API, without a slash at the end. */
  api: z.string(),
  /** `owner/name`; of GitLab the path of the project, or its number. */
  repository: z.string(),
  /** Number of the pull or merge request. */
  number: z.int().optional(),
};

/** A commit status, and what the forge answered to it. */
export const StatusFields = {
  context: z.enum(STATUS_CONTEXTS),
  commit: z.string(),
  state: z.enum(['pending', 'success', 'failure']),
  description: z.string(),
  result: z
    .enum(['posted', 'delayed', 'refused'])
    .describe('delayed: Parley tries again by itself. refused: not until the link or the status changes.'),
  reason: z.string().optional(),
};

export const linkEvents = defineEvents({
  /** `new_token`: whether the owner sent a token for the forge. The token itself is never in a log of events. */
  'change.linked': message({ ...LinkFields, new_token: z.boolean() }, { seenBy: 'owner' }),
  'change.unlinked': message({ role: BuilderRole }, { seenBy: 'owner' }),
  'status.reported': ownersOnly({ role: BuilderRole, ...StatusFields }, { silent: true }),
});
