import { z } from 'zod';
import { AGENTS } from '../../../kernel/roles.ts';
import { accessGivenBy } from '../../access/rules.ts';
import { AgentRole } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

/** Revokes the tokens and the open invitations of a session that people gave, as part of a revocation of these people. */
export const endGivenAccess = defineOperation({
  name: 'endGivenAccess',
  summary: 'Revoke the access that a person gave to agents.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ given_by: z.array(z.string()).optional() }),
  output: z.strictObject({
    still: z.array(
      z.strictObject({
        kind: z.enum(['invitation', 'token']),
        role: AgentRole,
        prefix: z.string(),
        expires_at: z.string(),
      }),
    ),
  }),
  errors: [],

  decide(state, { given_by }, _caller, { now }) {
    const given = accessGivenBy(state, given_by, now);
    return AGENTS.flatMap((role) => {
      const kinds = given.filter((one) => one.role === role).map(({ kind }) => kind);
      const [kind] = kinds;
      if (kind === undefined) return [];
      return [{ kind: 'access.revoked', data: { role, ...(kinds.length === 1 ? { only: kind } : {}) } } as const];
    });
  },

  reply: (state, { given_by }, { now }) => ({ still: [...accessGivenBy(state, given_by, now)] }),
});
