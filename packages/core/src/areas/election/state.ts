import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { ElectionView, Nomination } from './schemas.ts';

export interface Election extends Readonly<Omit<ElectionView, 'nominations'>> {
  readonly nominations: Readonly<Partial<Record<Builder, Nomination>>>;
}

export const electionSlice: Slice<Election> = {
  empty: { nominations: {}, contract_author: null, technical_reviewer: null },
  folds: {
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
