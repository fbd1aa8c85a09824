import { query } from '../processes/support/database.ts';
import type { RunRecord } from './record.ts';

/** Makes a mistake at the end of a run, in the database or in the records of the clients. */
type Plant = (databaseUrl: string, record: RunRecord) => Promise<unknown> | unknown;

/**
 * Duration of a poll that is too long: longer than all outages of a short run together with the ten seconds in which a
 * poll notices a change without hints.
 */
const LONG_MS = 60_000;

const last = `(select session_id, max(seq) as seq from parley_event where body like '%"turn.posted"%' group by 1 limit 1)`;

/** Mistakes by name. A check must detect each of them: `pnpm torture --short --plant lost` shows an example. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  /** Removes the end of a log, as a failover to a lagging standby would. */
  lost: (url) =>
    query(
      url,
      `with cut as ${last}, gone as (delete from parley_event e using cut
         where e.session_id = cut.session_id and e.seq >= cut.seq)
       update parley_session s set seq = cut.seq - 1,
         hash = (select hash from parley_event e where e.session_id = cut.session_id and e.seq = cut.seq - 1)
       from cut where s.session_id = cut.session_id`,
    ),
  /** Stores a turn a second time, under another number. */
  doubled: (url) =>
    query(
      url,
      `with one as ${last} insert into parley_event (session_id, seq, hash, body)
       select e.session_id, s.seq + 1, e.hash, e.body from parley_event e
       join one using (session_id, seq) join parley_session s using (session_id)`,
    ),
  edited: (url) =>
    query(
      url,
      `update parley_event e set body = replace(e.body, '"summary":"', '"summary":" ') from ${last} as one
       where e.session_id = one.session_id and e.seq = one.seq`,
    ),
  /**
   * Adds the record of a poll that ended too late: a write should have ended it, but the poll was held for `LONG_MS`
   * after the write was acknowledged.
   */
  late: (_url, { sessions }) => {
    const looks = sessions[1]?.looks ?? [];
    const [news] = sessions[1]?.acknowledged.filter(({ by }) => by === 'agent_a') ?? [];
    const at = news?.at ?? 0;
    looks.push({ by: 'agent_b', isHeld: true, after: 0, sentAt: at - 1, at: at + LONG_MS, head: 1_000_000 });
  },
  skipped: (_url, { sessions }) => {
    const pages = sessions[0]?.pages ?? [];
    const index = pages.findIndex(({ ids }) => ids.length > 1);
    const page = pages[index];
    if (page) pages[index] = { ...page, ids: page.ids.slice(1) };
  },
};
