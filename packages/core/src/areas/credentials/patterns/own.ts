import { type CredentialPattern, token } from '../pattern.ts';

/** Spec 5.12. Credentials of Parley: session tokens, invitation codes and owner keys. */
export const OWN: readonly CredentialPattern[] = [
  { ...token('Parley token', 'prt_', '[A-Za-z0-9_-]{16,200}'), samples: 'none' },
  token('Parley invitation code', 'pinv_', '[A-Za-z0-9]{40,200}'),
  token('Parley owner key', 'pok_', '[A-Za-z0-9_-]{32,200}'),
];
