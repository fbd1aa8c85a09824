import type { LoggedEvent } from '@parley/core';

/** An event as the owner API returns it: the members of its stored text, and its hash. */
export const eventRecord = ({ seq, at, kind, v, actor, person, data, prevHash, hash }: LoggedEvent) => ({
  seq,
  at,
  kind,
  v,
  actor,
  ...(person ? { person } : {}),
  data,
  prev_hash: prevHash,
  hash,
});
