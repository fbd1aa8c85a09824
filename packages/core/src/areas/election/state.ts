import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';

interface Nomination {
  readonly candidate: Builder;
  readonly reason: string;
  readonly seq: number;
}

export interface Election {
  readonly nominations: Readonly<Partial<Record<Builder, Nomination>>>;
  readonly author: Builder | null;
}

export const electionSlice: Slice<Election> = {
  empty: { nominations: {}, author: null },
  folds: {
    'author.nominated': (election, event) => {
      if (!isBuilder(event.actor))
        throw new Error(`An event contains a nomination by ${event.actor}, who is not a builder.`);
      const nomination: Nomination = { ...event.data, seq: event.seq };
      return { ...election, nominations: { ...election.nominations, [event.actor]: nomination } };
    },
    'author.elected': (election, event) => {
      // An appointment by the owner removes earlier nominations. Otherwise one agent could change the author alone, by
      // nominating the candidate that the other agent nominated long ago.
      return {
        nominations: event.actor === 'owner' ? {} : election.nominations,
        author: event.data.contract_author,
      };
    },
  },
};
