import type { Glance, OwnerWait } from '../api/types.ts';
import type { Tab } from '../state/route.ts';

/** The tab on which the owner completes a task of this kind. */
export function tabFor(kind: OwnerWait['kind']): Tab | undefined {
  switch (kind) {
    case 'START':
    case 'RECOMMENDATION':
    case 'QUOTA_LOW':
    case 'QUOTA_EXHAUSTED':
      return 'people';
    case 'QUESTION':
    case 'END':
      return 'transcript';
    case 'APPROVAL':
    case 'BLOCKER':
    case 'HOLD':
    case 'REPORTED_BLOCKED':
    case 'BUILD':
      return 'contract';
    case 'DEPLOYMENT':
    case 'ACTIVATION':
    case 'STUCK':
      return 'verify';
    default:
      return undefined;
  }
}

export const statusTone = (status: Glance['status']): 'plain' | 'good' | 'warn' | 'live' =>
  (({ DRAFT: 'warn', ACTIVE: 'live', PAUSED: 'warn', ENDED: 'plain' }) as const)[status];
