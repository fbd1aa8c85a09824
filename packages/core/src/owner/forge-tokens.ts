/**
 * The tokens with which Parley posts commit statuses. Each is in a log of its own with one event, stored like a session under an id
 * that no session has, because events of a session are never changed or erased before the session. It is encrypted with a key that is
 * derived from the secret of the installation, the session and the repository, so that a token is never sent to another address than
 * that with which the owner sent it.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Link, targetOf } from '../areas/links/state.ts';
import type { SessionState } from '../areas/state.ts';
import { isoTime } from '../kernel/clock.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { fail } from '../kernel/errors.ts';
import { attributed, GENESIS, readIntactEvent } from '../kernel/log/event.ts';
import { defineEvents, ownersOnly } from '../kernel/log/event-catalog.ts';
import type { LogDomain, SessionRoot } from '../kernel/operation/operation.ts';
import { FORGE_TOKEN_LOG_PREFIX, FORGE_TOKEN_OWNER } from '../kernel/person.ts';
import { BUILDERS, type Builder } from '../kernel/roles.ts';
import { createExactly, prepareEvents } from '../kernel/session/append.ts';
import { seal, unseal } from '../kernel/token/sealed-text.ts';
import { sessionsOf } from './own-session.ts';

const tokenEvents = defineEvents({
  'token.kept': ownersOnly({ sealed: z.string() }),
});

/** The title of the log is the id of its session, so that a list finds the sessions that have tokens. */
const domainOf = (title: string): LogDomain<SessionRoot> => ({
  catalog: tokenEvents,
  empty: (sessionId) => ({ sessionId, ownerId: FORGE_TOKEN_OWNER, head: GENESIS, at: isoTime(0) }),
  evolve: (state, { seq, hash, at }) => ({ ...state, head: { seq, hash }, at }),
  settleObligations: () => [],
  listing: ({ at }) => ({ title, status: 'ACTIVE', phase: 'KEPT', createdAt: at }),
});

type Tokens = Pick<Engine<SessionState>, 'key' | 'storage' | 'clock' | 'random'>;
type Target = Pick<Link, 'role' | 'forge' | 'api' | 'repository'>;

const sign = ({ key }: Tokens, text: string): Buffer =>
  createHmac('sha256', key).update(`parley forge token ${text}`).digest();

const logOf = (tokens: Tokens, sessionId: string, role: Builder): string =>
  `${FORGE_TOKEN_LOG_PREFIX}${sign(tokens, `log ${sessionId} ${role}`).toString('hex').slice(0, 40)}`;

const keyOf = (tokens: Tokens, sessionId: string, target: Target): Buffer =>
  sign(tokens, `key ${sessionId} ${target.role} ${targetOf(target)}`);

/** Keeps a token in place of an earlier one of the same builder. */
export async function keepToken(
  tokens: Tokens,
  sessionId: string,
  { token, ...target }: Target & { readonly token: string },
): Promise<void> {
  const { storage, clock, random } = tokens;
  const domain = domainOf(sessionId);
  const logId = logOf(tokens, sessionId, target.role);
  const data = { sealed: seal(keyOf(tokens, sessionId, target), random, token) };
  const drafts = [attributed({ kind: 'token.kept', data }, 'system', undefined)];
  const prepared = prepareEvents(domain, domain.empty(logId), drafts, clock.now());
  await storage.delete(logId);
  await createExactly({ storage, clock, domain }, prepared, null).catch(async (error: unknown) => {
    if ((await storage.events(logId, 1, 1)).length === 0) throw error;
    fail('CONFLICT', `The token was not stored: another call set that of ${target.role} at the same time.`);
  });
}

/** The token for a repository. Null if there is none, or if it was kept for another repository or with another secret. */
export async function readToken(tokens: Tokens, sessionId: string, target: Target): Promise<string | null> {
  const [stored] = await tokens.storage.events(logOf(tokens, sessionId, target.role), 1, 1);
  if (!stored) return null;
  try {
    const { sealed } = tokenEvents['token.kept'].data.parse(readIntactEvent(stored).data);
    return unseal(keyOf(tokens, sessionId, target), sealed);
  } catch {
    return null;
  }
}

/** Erases the tokens of a session. @param roles default: of both builders */
export async function dropTokens(
  tokens: Tokens,
  sessionId: string,
  roles: readonly Builder[] = BUILDERS,
): Promise<void> {
  for (const role of roles) await tokens.storage.delete(logOf(tokens, sessionId, role));
}

/** The ids of the sessions that have tokens. A session with two tokens comes twice. */
export async function* sessionsWithTokens(engine: Engine<SessionState>): AsyncGenerator<string> {
  for await (const { title } of sessionsOf({ engine, ownerId: FORGE_TOKEN_OWNER })) yield title;
}
