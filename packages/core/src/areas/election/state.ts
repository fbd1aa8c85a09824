import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';

interface Nomination {
  readonly candidate: Builder;
  readonly reason: string;
  readonly seq: number;
}

export interface Election {
  readonly nominations: Readonly<Partial<Record<Builder, Nomination>>>;
  readonly author: Builder | null;
}

export const emptyElection: Election = { nominations: {}, author: null };

export function evolveElection(election: Election, event: SessionEvent): Election {
  switch (event.kind) {
    case 'author.nominated': {
      if (!isBuilder(event.actor))
        throw new Error(`An event contains a nomination by ${event.actor}, who is not a builder.`);
      const nomination: Nomination = { ...event.data, seq: event.seq };
      return { ...election, nominations: { ...election.nominations, [event.actor]: nomination } };
    }
    case 'author.elected':
      // An appointment by the owner removes earlier nominations. Otherwise one agent could change the author alone, by
      // nominating the candidate that the other agent nominated long ago.
      return {
        nominations: event.actor === 'owner' ? {} : election.nominations,
        author: event.data.contract_author,
      };
    default:
      return election;
  }
}
