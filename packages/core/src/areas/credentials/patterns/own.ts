import { token } from '../pattern.ts';

/** Our own: session tokens, invitation codes, owner keys. */
export const OWN = [
  token('Parley token', 'prt_', '[A-Za-z0-9]{40,200}'),
  token('Parley invitation code', 'pinv_', '[A-Za-z0-9]{40,200}'),
  token('Parley owner key', 'pok_', '[A-Za-z0-9_-]{32,200}'),
];
