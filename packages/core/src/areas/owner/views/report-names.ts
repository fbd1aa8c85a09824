import { type Actor, isBuilder } from '../../../kernel/roles.ts';
import type { SessionState } from '../../state.ts';

/** Returns the name of an actor. A builder without a name is called by its role. */
export const namesIn =
  ({ profile: { agents } }: SessionState) =>
  (actor: Actor): string => {
    if (isBuilder(actor)) return agents[actor].name || actor;
    return actor === 'owner' ? 'the owner' : actor === 'moderator' ? 'Moderator' : 'the service';
  };

/** The names of several actors, joined with `and`. */
export const namesOf = (state: SessionState, actors: readonly Actor[]): string =>
  actors.map(namesIn(state)).join(' and ');
