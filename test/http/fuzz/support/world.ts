import type { Clock, Storage } from '@parley/core';
import type { Joined } from '../../../support/join-session.ts';
import { openService, type Service } from '../../oddities/support/service.ts';
import { openSample } from './sample-sessions.ts';

/** The latest revision and its hash. Calls about the contract must name exactly these. */
interface Latest {
  readonly revision: string;
  readonly hash: string;
}

/** A service whose waits end within 5 ms, and the current session. */
export interface World {
  readonly service: Service;
  readonly present: Joined;
  readonly latest: Latest;
  learn(latest: Latest): void;
  /** Verifies the log of the current session, then creates the next session. */
  turnOver(): Promise<void>;
  close(): Promise<void>;
}

const LONGEST_WAIT_MS = 5;

const NOTHING: Latest = { revision: 'r_1', hash: '0'.repeat(64) };

const impatientClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, LONGEST_WAIT_MS));
    return () => clearTimeout(timer);
  },
};

export async function openWorld(storage: Storage): Promise<World> {
  const service = await openService({ storage, clock: impatientClock });
  const { parley, owner } = service;
  let turn = 0;
  let latest = NOTHING;
  let present = await openSample(parley, owner, turn);
  const verify = async (): Promise<void> => {
    const report = await owner.verifyLog(present.sessionId);
    if (!report.ok) throw new Error(`the log of ${present.sessionId} does not verify: ${JSON.stringify(report.fault)}`);
  };
  return {
    service,
    get latest() {
      return latest;
    },
    learn(told) {
      latest = told;
    },
    get present() {
      return present;
    },
    async turnOver() {
      await verify();
      latest = NOTHING;
      turn += 1;
      present = await openSample(parley, owner, turn);
    },
    async close() {
      await verify();
      await service.close();
    },
  };
}
