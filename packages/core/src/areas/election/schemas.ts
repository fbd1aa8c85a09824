import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { BuilderRole } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { PHASES } from '../session/events.ts';

const NominationView = z.strictObject({ by: BuilderRole, candidate: BuilderRole, reason: z.string() });
documented.add(NominationView, { id: 'Nomination' });

/** A nomination in the state. */
export interface Nomination extends Readonly<z.output<typeof NominationView>> {
  readonly seq: number;
}

export const viewNomination = pickOf(NominationView);

export const ElectionFields = {
  nominations: z.array(NominationView),
  contract_author: BuilderRole.nullable(),
  technical_reviewer: BuilderRole.nullable(),
};
export type ElectionView = z.output<z.ZodObject<typeof ElectionFields>>;

export const ElectionResult = z
  .strictObject({ ...ElectionFields, phase: z.enum(PHASES) })
  .register(documented, { id: 'ElectionResult' });
