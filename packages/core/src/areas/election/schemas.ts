import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { BuilderRole } from '../fields.ts';
import { PHASES } from '../session/events.ts';

const NominationView = z.strictObject({ by: BuilderRole, candidate: BuilderRole, reason: z.string() });
documented.add(NominationView, { id: 'Nomination' });

export const ElectionFields = {
  nominations: z.array(NominationView),
  contract_author: BuilderRole.nullable(),
  technical_reviewer: BuilderRole.nullable(),
};

export const ElectionResult = z
  .strictObject({ ...ElectionFields, phase: z.enum(PHASES) })
  .register(documented, { id: 'ElectionResult' });
