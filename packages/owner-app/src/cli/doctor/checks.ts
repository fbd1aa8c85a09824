import type { Check } from './check.ts';
import { CLUSTER_CHECKS } from './cluster-checks.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { MACHINE_CHECKS } from './machine-checks.ts';
import { SITE_CHECKS } from './site-checks.ts';

/** The checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [...MACHINE_CHECKS, ...DATABASE_CHECKS, ...CLUSTER_CHECKS, ...SITE_CHECKS];
