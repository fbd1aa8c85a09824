import type { OwnerListing } from '@parley/core';
import { kebabCase } from '../../text/kebab.ts';
import type { OwnerClient } from './owner-client.ts';
import type { Json } from './request.ts';

/** Calls an operation by its route: reads are GET with a query, writes POST with a body. */
export function callOperation(
  client: OwnerClient,
  { name, effect }: Pick<OwnerListing, 'name' | 'effect'>,
  sessionId: string,
  input: Json,
): Promise<Json> {
  const path = `/sessions/${encodeURIComponent(sessionId)}/${kebabCase(name)}`;
  if (effect === 'write') return client.post(path, input);
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(input)) query.set(member, String(value));
  return client.get(query.size > 0 ? `${path}?${query}` : path);
}
