import type { CreateSession } from '../areas/owner/session.ts';
import type { AgentClient } from '../client/calls.ts';
import { AGENTS, type Agent } from '../kernel/roles.ts';
import { createMemoryStorage } from '../kernel/storage/memory-storage.ts';
import type { Storage } from '../kernel/storage/storage.ts';
import type { Owner } from '../owner/owner.ts';
import { createParley, type Parley, type ParleyOptions } from '../parley.ts';
import { SAMPLE_OWNER, SAMPLE_SESSION } from './opening-events.ts';
import { createTestClock, createTestRandom, type TestClock } from './test-engine.ts';

export interface OpenSessionOptions extends Partial<Omit<ParleyOptions, 'clock'>> {
  readonly session?: Partial<CreateSession>;
  /** Whether the session is started. If false, it stays in DRAFT. */
  readonly isStarted?: boolean;
}

/** A Parley service on a storage, with one session that all roles have joined. */
export interface OpenedSession {
  readonly parley: Parley;
  readonly storage: Storage;
  readonly clock: TestClock;
  readonly sessionId: string;
  readonly owner: Owner;
  readonly tokens: Readonly<Record<Agent, string>>;
  readonly agentA: AgentClient;
  readonly agentB: AgentClient;
  readonly moderator: AgentClient;
}

/**
 * Opens a session, lets both builders and the moderator redeem their invitations, and starts the session. Without the option
 * `storage`, the storage is in memory and ids are the same in each run.
 *
 * The time changes only by `clock.advance`. Events 1 to 8 open the session.
 */
export async function openSession(options: OpenSessionOptions = {}): Promise<OpenedSession> {
  const { session, isStarted = true, ...rest } = options;
  const clock = createTestClock();
  const storage = rest.storage ?? createMemoryStorage({ now: clock.now });
  const repeatable = rest.storage ? {} : { random: createTestRandom() };
  const parley = await createParley({ ...repeatable, ...rest, storage, clock });
  const owner = parley.owner(SAMPLE_OWNER);
  const { session_id: sessionId } = await owner.createSession({ ...SAMPLE_SESSION, ...session });
  const join = async (role: Agent) => {
    const { code } = await owner.invite(sessionId, { role });
    return (await parley.redeem({ code })).token;
  };
  const tokens = { agent_a: '', agent_b: '', moderator: '' };
  for (const role of AGENTS) tokens[role] = await join(role);
  if (isStarted) await owner.start(sessionId);
  return {
    parley,
    storage,
    clock,
    sessionId,
    owner,
    tokens,
    agentA: parley.agent(tokens.agent_a),
    agentB: parley.agent(tokens.agent_b),
    moderator: parley.agent(tokens.moderator),
  };
}

/** What an owner sends as `seen` who has just read the view of the session. */
export const seenIn = async (owner: Pick<Owner, 'view'>, sessionId: string): Promise<number> =>
  (await owner.view(sessionId)).head.seq;
