import type { ParleyOptions } from '@parley/core';
import { type Application, openApplication } from '../../../support/application.ts';
import { type Joined, joinSession } from '../../../support/join-session.ts';

/** The whole application in one process, with a session in which agent_a has the turn. */
export interface Service extends Application, Joined {}

const LIMITS = { perToken: 1_000_000, perAddress: 1_000_000, redeemPerAddress: 1_000_000, perPerson: 1_000_000 };

/** Opens a service. If `options` contain a storage, the caller must close the storage. */
export async function openService(options: Partial<ParleyOptions> = {}): Promise<Service> {
  const application = await openApplication({ limits: LIMITS, ...options });
  return { ...application, ...(await joinSession(application)) };
}
