import {
  createMemoryStorage,
  createParley,
  type Owner,
  type Parley,
  type Storage,
  type StoredEvent,
} from '@parley/core';
import { createTestClock, createTestRandom } from '@parley/core/testing';
import { type Agent, type CallByName, type Json, runMission } from '@parley/missions';
import { openAt, type Progress } from '../../http/wire/support/sample-sessions.ts';
import { readLogs } from '../../scenarios/support/golden-logs.ts';
import { loadStory, type Story } from '../../scenarios/support/stories.ts';

/** The secret of every storage here, so that a token is valid wherever its session is loaded. */
export const SECRET = '0'.repeat(64);
export const OWNER = 'golden';

/** A story as part of a file name. */
export const slug = (story: Story): string => story.replaceAll(/[^a-z]+/g, '-');

/** A session as it was after one of its events. */
export interface Moment {
  readonly name: string;
  readonly events: readonly StoredEvent[];
  /** The large texts beside the log, by their SHA-256. */
  readonly documents: ReadonlyMap<string, string>;
  readonly tokens: Readonly<Partial<Record<Agent, string>>>;
}

/** A call that a story makes, and its answer. */
export interface Played {
  readonly by: string;
  readonly call: string;
  readonly answer: unknown;
}

interface Recorder {
  readonly parley: Parley;
  readonly owner: Owner;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly documents: Map<string, string>;
  log(sessionId: string): Promise<readonly StoredEvent[]>;
}

/** A Parley with fixed time, ids and secrets that remembers the large texts that it stores. */
async function openRecorder(): Promise<Recorder> {
  const documents = new Map<string, string>();
  const memory = createMemoryStorage();
  const keep = (all: readonly { readonly sha256: string; readonly body: string }[]) => {
    for (const { sha256, body } of all) documents.set(sha256, body);
  };
  const storage: Storage = {
    ...memory,
    secret: async () => SECRET,
    create(session, events, texts) {
      keep(texts);
      return memory.create(session, events, texts);
    },
    append(request) {
      keep(request.documents);
      return memory.append(request);
    },
  };
  const clock = createTestClock();
  const parley = await createParley({ storage, clock, random: createTestRandom() });
  return {
    ...{ parley, owner: parley.owner(OWNER), clock, documents },
    async log(sessionId) {
      const log: StoredEvent[] = [];
      for (;;) {
        const page = await storage.events(sessionId, log.length + 1, log.length + 500);
        if (page.length === 0) return log;
        log.push(...page);
      }
    },
  };
}

/** Plays a story. Returns every call with its answer, and the last moment of each phase. */
export async function playStory(story: Story): Promise<{ played: readonly Played[]; moments: readonly Moment[] }> {
  const { parley, owner, clock, documents, log } = await openRecorder();
  const played: Played[] = [];
  const tokens: Partial<Record<Agent, string>> = {};
  const heard = async (by: string, call: string, answer: Promise<unknown>): Promise<Json> => {
    played.push({ by, call, answer: await answer });
    return (await answer) as Json;
  };
  /** The number of the last event, and the phase and status, after each step. */
  const standings: { readonly seq: number; readonly at: string }[] = [];
  const mission = await loadStory(story);
  const { sessionId } = await runMission(
    mission,
    {
      owner: {
        createSession: (input) => heard('owner', 'createSession', owner.createSession(input as never)),
        call: (name, id, input) => heard('owner', name, owner.call(name, id, input)),
      },
      async agents({ role, code }) {
        const pass = await parley.redeem({ code, client_type: 'scenario' });
        tokens[role] = pass.token;
        const call = parley.agent(pass.token).call as CallByName;
        const tool: CallByName = (name, input) => heard(role, name, call(name, input));
        return tool;
      },
    },
    async (step) => {
      const { head, state } = await owner.view(step.sessionId);
      standings.push({ seq: head.seq, at: state.status === 'ACTIVE' ? state.phase : state.status });
      clock.advance(1_000);
    },
  );
  const events = await log(sessionId);
  await parley.close();
  const lasts = standings.filter(({ at }, index) => standings.findLastIndex((other) => other.at === at) === index);
  const moments = lasts.map(({ seq, at }) => ({ name: at, events: events.slice(0, seq), documents, tokens }));
  return { played, moments };
}

/** The moments of short sessions in which everything has happened that an operation can be about. */
const PROGRESS: readonly Progress[] = ['planned', 'moderated', 'approved', 'failed'];

export async function stockMoments(): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  for (const name of PROGRESS) moments.push(await stockMoment(name));
  return moments;
}

export async function stockMoment(name: Progress): Promise<Moment> {
  const { parley, owner, documents, log } = await openRecorder();
  const { sessionId, tokens } = await openAt({ parley, owner }, name);
  const events = await log(sessionId);
  await parley.close();
  return { name, events, documents, tokens };
}

/** The ends of the stored logs of earlier versions, each log once. `story` has the tokens and texts of the logs. */
export async function earlierMoments(stories: ReadonlyMap<string, readonly Moment[]>): Promise<readonly Moment[]> {
  const seen = new Set<string>();
  const moments: Moment[] = [];
  for (const [name, events] of await readLogs()) {
    const [, version = '', story = ''] = /^(\d+)-(.*)$/.exec(name) ?? [];
    const end = stories.get(story)?.at(-1);
    const hash = events.at(-1)?.hash ?? '';
    if (!end || seen.has(hash) || hash === end.events.at(-1)?.hash) continue;
    seen.add(hash);
    moments.push({ ...end, name: `${story} of version ${version}`, events });
  }
  return moments;
}
