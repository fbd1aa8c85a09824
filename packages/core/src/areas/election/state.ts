import { z } from 'zod';
import { namedObject } from '../../kernel/operation/documented.ts';
import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import { BuilderRole } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { PHASES } from '../session/events.ts';
import type { Slice } from '../slice.ts';

const NominationView = namedObject('Nomination', { by: BuilderRole, candidate: BuilderRole, reason: z.string() });

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

export const ElectionResult = namedObject('ElectionResult', { ...ElectionFields, phase: z.enum(PHASES) });

export interface Election extends Readonly<Omit<ElectionView, 'nominations'>> {
  readonly nominations: Readonly<Partial<Record<Builder, Nomination>>>;
}

export const electionSlice: Slice<Election> = {
  empty: { nominations: {}, contract_author: null, technical_reviewer: null },
  folds: {
    'session.created': (election, { data: { contract_author: author } }) =>
      author ? { ...election, contract_author: author, technical_reviewer: otherBuilder(author) } : election,
    'author.nominated': (election, { actor: by, data, seq }) => {
      if (!isBuilder(by)) throw new Error(`An event contains a nomination by ${by}, who is not a builder.`);
      return { ...election, nominations: { ...election.nominations, [by]: { by, ...data, seq } } };
    },
    // An appointment by the owner removes earlier nominations. Otherwise one agent could change the author alone, by
    // nominating the candidate that the other agent nominated long ago.
    'author.elected': ({ nominations }, { actor, data }) => ({
      nominations: actor === 'owner' ? {} : nominations,
      ...data,
    }),
  },
};
