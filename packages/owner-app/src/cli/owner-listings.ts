import { createMemoryStorage, createParley, type OwnerListing } from '@parley/core';

/** The owner operations, which an empty Parley tells of as a full one does. */
export async function readOwnerListings(): Promise<readonly OwnerListing[]> {
  const parley = await createParley({ storage: createMemoryStorage() });
  await parley.close();
  return parley.ownerOperations;
}
