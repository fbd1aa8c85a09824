import type { Clock, Storage } from '@parley/core';
import { type Joined, joinSession, openService, type Service } from '../../oddities/stage/service.ts';

/** A service whose waits are over at once, and the session that the calls of the moment go to. */
export interface World {
  readonly service: Service;
  readonly present: Joined;
  /** Checks the log of the present session and goes on to a new one. */
  turnOver(): Promise<void>;
  close(): Promise<void>;
}

const LONGEST_WAIT_MS = 5;

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
  let present = await joinSession(parley, owner);
  const verify = async (): Promise<void> => {
    const report = await owner.verifyLog(present.sessionId);
    if (!report.ok) throw new Error(`the log of ${present.sessionId} does not verify: ${JSON.stringify(report.fault)}`);
  };
  return {
    service,
    get present() {
      return present;
    },
    async turnOver() {
      await verify();
      present = await joinSession(parley, owner);
    },
    async close() {
      await verify();
      await service.close();
    },
  };
}
