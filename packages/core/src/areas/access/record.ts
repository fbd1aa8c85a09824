import { z } from 'zod';
import type { Agent } from '../../kernel/roles.ts';
import { PERMISSIONS, SCOPES } from '../../kernel/scopes.ts';
import { At } from '../fields.ts';

export const InvitationView = z.strictObject({ code_prefix: z.string(), expires_at: At });

export const TokenView = z.strictObject({
  token_prefix: z.string(),
  client_type: z.string().nullable(),
  issued_at: At,
  expires_at: At,
  revoked: z.boolean(),
  scopes: z.array(z.enum(SCOPES)),
  permissions: z.array(z.enum(PERMISSIONS)),
});

interface Granted extends Readonly<Pick<z.output<typeof TokenView>, 'scopes' | 'permissions' | 'expires_at'>> {
  readonly role: Agent;
  /** Id of the person who made the invitation. Undefined if the event names nobody, or the holder of the owner key. */
  readonly invited_by: string | undefined;
}

/** An invitation in the state. */
export interface Invitation extends Granted, Readonly<z.output<typeof InvitationView>> {
  readonly status: 'OPEN' | 'REDEEMED' | 'CANCELLED';
}

/** A token in the state. */
export interface Token extends Granted, Readonly<Omit<z.output<typeof TokenView>, 'revoked'>> {
  /** Time at which the owner revoked the token or a newer token replaced it. Null until then. */
  readonly revoked_at: string | null;
}
