import { z } from 'zod';
import { BuilderRole } from '../fields.ts';

const NominationView = z.strictObject({ by: BuilderRole, candidate: BuilderRole, reason: z.string() });

/** Where the election of the Contract Author stands. */
export const ElectionFields = {
  nominations: z.array(NominationView),
  contract_author: BuilderRole.nullable(),
  technical_reviewer: BuilderRole.nullable(),
};
