import type { CredentialPattern } from './pattern.ts';
import { ADDRESSES } from './patterns/addresses.ts';
import { ASSIGNMENTS } from './patterns/assignments.ts';
import { CLOUDS } from './patterns/clouds.ts';
import { CODE_HOSTS } from './patterns/code-hosts.ts';
import { COMMERCE } from './patterns/commerce.ts';
import { DATA_STORES } from './patterns/data-stores.ts';
import { KEYS } from './patterns/keys.ts';
import { MESSAGING } from './patterns/messaging.ts';
import { MODELS } from './patterns/models.ts';
import { OWN } from './patterns/own.ts';

/** If several patterns match at the same place, the first pattern in this list determines the reported kind. */
export const CREDENTIAL_PATTERNS: readonly CredentialPattern[] = [
  ...OWN,
  ...KEYS,
  ...CODE_HOSTS,
  ...CLOUDS,
  ...DATA_STORES,
  ...MODELS,
  ...MESSAGING,
  ...COMMERCE,
  ...ADDRESSES,
  ...ASSIGNMENTS,
];
