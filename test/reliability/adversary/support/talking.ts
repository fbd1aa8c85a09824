import { expect } from 'vitest';
import { send } from '../../processes/support/ask.ts';
import { SESSION } from './target.ts';

interface TalkOptions {
  readonly url: string;
  readonly ownerKey: string;
  readonly sessions: number;
}

export interface Talk {
  /** Maps each session id to the number of its last acknowledged event. */
  acknowledged(): ReadonlyMap<string, number>;
  turns(): number;
  end(): Promise<number>;
}

/** As many turns as the round limit of 100 rounds allows. */
const TURNS = 200;

/** The two builders of each session post turns alternately, without pauses. */
export async function startTalking({ url, ownerKey, sessions }: TalkOptions): Promise<Talk> {
  const last = new Map<string, number>();
  let isOver = false;
  let turns = 0;
  const post = async (token: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await send(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, reply.status]).toEqual([path, 200]);
    return reply.body;
  };
  const seatOne = async (): Promise<{ id: string; tokens: readonly string[] }> => {
    const { session_id } = await post(ownerKey, '/owner/api/sessions', { ...SESSION, round_limit: 100 });
    const id = String(session_id);
    const tokens: string[] = [];
    for (const role of ['agent_a', 'agent_b']) {
      const { code } = await post(ownerKey, `/owner/api/sessions/${id}/invite`, { role });
      tokens.push(String((await post('', '/api/public/agent/invitations/redeem', { code })).token));
    }
    await post(ownerKey, `/owner/api/sessions/${id}/start`, {});
    return { id, tokens };
  };
  const talkOnce = async (): Promise<void> => {
    const { id, tokens } = await seatOne();
    for (let turn = 0; turn < TURNS && !isOver; turn += 1) {
      const body = { summary: `Turn ${turn}.` };
      const { message_id } = await post(tokens[turn % 2] ?? '', `/api/public/agent/sessions/${id}/turns`, body);
      last.set(id, Number(message_id));
      turns += 1;
    }
  };
  const talking = Array.from({ length: sessions }, async () => {
    while (!isOver) await talkOnce();
  });
  return {
    acknowledged: () => new Map(last),
    turns: () => turns,
    async end() {
      isOver = true;
      await Promise.all(talking);
      return turns;
    },
  };
}
