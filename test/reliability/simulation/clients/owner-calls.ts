import { type Json, parse, textIn } from '../checks/reading.ts';
import type { Operation } from '../world/exchange.ts';
import { type Reply, send } from '../world/wire.ts';
import type { World } from '../world/world.ts';
import { answered, type Seat } from './calls.ts';

export const OWNER = 'owner-1';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  view: 'view',
  transcript: 'transcript',
  invite: 'invite',
  revoke: 'revoke',
};

export interface OwnerCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly marker?: string;
  readonly after?: number;
}

export function callOwner(world: World, sessionId: string, call: OwnerCall): Promise<Reply | null> {
  const { name, input = {}, ...known } = call;
  const operation = OPERATIONS[name] ?? (known.marker === undefined ? 'other' : 'write');
  return send(world, {
    facts: { ...known, operation, name, sessionId, role: 'owner' },
    run: (parley) =>
      answered(parley, async () => JSON.stringify(await parley.owner(OWNER).call(name, sessionId, input))),
  });
}

/** Returns the body of a successful answer, and null for any other answer. */
export const successOf = (reply: Reply | null): Json | null => (reply?.status === 200 ? parse(reply.body) : null);

/** Invites the role again and redeems the code, which ends the previous token. Returns false if a call fails. */
export async function renew(world: World, seat: Seat): Promise<boolean> {
  const { sessionId, role } = seat;
  const invitation = successOf(await callOwner(world, sessionId, { name: 'invite', input: { role } }));
  if (!invitation) return false;
  const code = textIn(invitation, 'code');
  const redeemed = successOf(await redeem(world, seat, code));
  if (redeemed) seat.token = textIn(redeemed, 'token');
  return redeemed !== null;
}

function redeem(world: World, { sessionId, role }: Seat, code: string): Promise<Reply | null> {
  const address = `192.0.2.${world.prng.below(250)}`;
  return send(world, {
    facts: { operation: 'redeem', name: 'redeem_invitation', sessionId, role },
    run: (parley) =>
      parley.callRoute({
        authorization: [],
        address,
        method: 'POST',
        path: '/invitations/redeem',
        query: new URLSearchParams(),
        idempotencyKeys: [],
        readBody: async () => JSON.stringify({ code }),
      }),
  });
}
