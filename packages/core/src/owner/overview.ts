import { noteBroken } from '../kernel/engine/engine.ts';
import { readInput } from '../kernel/operation/input.ts';
import { glancesAt } from './glances.ts';
import { type Overview, OWNER_METHODS } from './methods.ts';
import type { OwnerOf } from './own-session.ts';

/** A page of the sessions of an owner. Folds each session of the page. */
export async function overviewOf(owner: OwnerOf, raw: unknown): Promise<Overview> {
  const { engine, ownerId } = owner;
  const { limit = 50, after, said } = readInput(OWNER_METHODS.overview.input, raw);
  const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
  const glances = await glancesAt(owner, page, said === 'whole');
  for (const { listed, isBroken } of glances) if (isBroken) noteBroken(engine, listed.sessionId);
  return {
    sessions: glances.map(({ glance }) => glance),
    next_after: page.length === limit ? (page.at(-1)?.sessionId ?? null) : null,
  };
}
