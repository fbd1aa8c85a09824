import { type Builder, isBuilder } from '../../kernel/roles.ts';

/**
 * The builder that an event names as its actor.
 * @throws Error if the actor is not a builder
 */
export function builderOf(actor: string): Builder {
  if (isBuilder(actor)) return actor;
  throw new Error(`An event contains a builder's step by ${actor}, who is not a builder.`);
}
