import { type Names, playContract } from './contracting.ts';
import { createPen } from './pen.ts';
import { playPlanning } from './planning.ts';
import { playReadiness } from './readying.ts';
import { openHostileSession, type Session } from './session.ts';
import { playVerify } from './verifying.ts';

/** Called after some steps of the story, so that the test can read the session. `moment` names the step. */
export type Look = (moment: string) => Promise<void>;

export interface Script {
  readonly textAt: (index: number) => string;
  readonly names: Names;
  readonly look: (session: Session, moment: string) => Promise<void>;
}

/** Plays a session from its creation to its end, with a text of `textAt` in every text field. */
export async function playStory({ textAt, names, look }: Script): Promise<Session> {
  const session = await openHostileSession(createPen(textAt));
  const lookNow: Look = (moment) => look(session, moment);
  await playPlanning(session, lookNow);
  await playContract(session, names, lookNow);
  await playReadiness(session, lookNow);
  await playVerify(session, lookNow);
  await session.parley.close();
  return session;
}
