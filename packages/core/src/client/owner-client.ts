import { fail } from '../kernel/errors.ts';
import type { Owner } from '../owner/owner.ts';
import { ownerRoute } from '../routes.ts';
import { addressOf, membersOf } from './address.ts';
import type { OwnerClient } from './calls.ts';
import type { Transport } from './over-http.ts';

/** The header of a write with which the answer has `after` (RFC 7240). */
const WITH_AFTER = { prefer: 'return=representation' } as const;

/**
 * Makes the calls of an owner.
 *
 * @param transport to the owner's API, with the header by which it knows the owner
 */
export const createOwnerClient = (transport: Transport): OwnerClient => ({
  async call(name, ...[input, { key, signal } = {}]) {
    const address = addressOf(ownerRoute(name), membersOf(input));
    const isRepeatable = address.method === 'GET' || key !== undefined;
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return (await transport({ ...address, headers, isRepeatable, signal })) as never;
  },
  async act(name, ...[input, { signal } = {}]) {
    const address = addressOf(ownerRoute(name), membersOf(input));
    return (await transport({ ...address, headers: WITH_AFTER, isRepeatable: false, signal })) as never;
  },
});

/** Makes the calls of an owner in process. The calls about people and accounts need HTTP. */
export const ownerInProcess = (owner: Owner): OwnerClient => ({
  async act(name, ...[given]) {
    const { session_id, ...input } = membersOf(given);
    return (await owner.act(name, String(session_id), input)) as never;
  },
  async call(name, ...[given]) {
    const run: unknown = Reflect.get(owner, name);
    if (typeof run !== 'function') fail('NOT_FOUND', `In process there is no call ${name}.`);
    if (!ownerRoute(name).includes('{session_id}')) return await run(given);
    const { session_id, ...input } = membersOf(given);
    return await run(session_id, input);
  },
});
