import type { Agent, Owner, Parley } from '@parley/core';

export interface Joined {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<Agent, string>>;
}

/** A Parley in the process of the test, and the calls of its owner. */
export interface Inside {
  readonly parley: Parley;
  readonly owner: Owner;
}

/** A word that occurs in every text of the test session and nowhere else. */
export const MARK = 'saffron';

export const SESSION = {
  title: `${MARK} pagination`,
  objective: `The ${MARK} catalogue lists ten million products.`,
  guardrails: [`No change to the ${MARK} address.`],
  requirements: [{ requirement_id: `${MARK}-1`, text: `A page never repeats ${MARK}.` }],
  round_limit: 100,
};

interface Joining {
  readonly session?: Parameters<Owner['createSession']>[0];
  /** Default true. If false, no moderator joins, and the moderator's token is empty. */
  readonly withModerator?: boolean;
  readonly isStarted?: boolean;
}

/**
 * Creates a session that both builders and the moderator join. The owner starts the session, unless `isStarted` is
 * false.
 */
export async function joinSession(
  inside: Inside,
  { session = SESSION, withModerator = true, isStarted = true }: Joining = {},
): Promise<Joined> {
  const { session_id: sessionId } = await inside.owner.createSession(session);
  const join = (role: Agent): Promise<string> => joinAs(inside, sessionId, role);
  const [agent_a, agent_b] = [await join('agent_a'), await join('agent_b')];
  const moderator = withModerator ? await join('moderator') : '';
  if (isStarted) await inside.owner.start(sessionId);
  return { sessionId, tokens: { agent_a, agent_b, moderator } };
}

/** Invites an agent and redeems the code. This ends the role's earlier token. */
export const joinAs = async ({ owner, parley }: Inside, sessionId: string, role: Agent): Promise<string> =>
  (await parley.redeem({ code: await invite(owner, sessionId, role) })).token;

export const invite = async (owner: Owner, sessionId: string, role: Agent): Promise<string> =>
  (await owner.invite(sessionId, { role })).code;
