import { isUnavailable, StatementRefused } from '../database/failures.ts';

type Send<Q, A> = (group: readonly Q[]) => Promise<readonly A[]>;

/**
 * Sends a batch. If the database refuses the batch, sends each request separately, so that one bad request does not
 * make the others fail. If the database is unavailable, sends nothing again.
 */
export async function settleGroup<Q, A>(group: readonly Q[], send: Send<Q, A>): Promise<PromiseSettledResult<A>[]> {
  try {
    const answers = await send(group);
    return answers.map((value) => ({ status: 'fulfilled', value }));
  } catch (error) {
    if (!(error instanceof StatementRefused) || isUnavailable(error) || group.length === 1) throw error;
  }
  const outcomes: PromiseSettledResult<A>[] = [];
  for (const one of group) outcomes.push(...(await Promise.allSettled([sendAlone(one, send)])));
  return outcomes;
}

async function sendAlone<Q, A>(one: Q, send: Send<Q, A>): Promise<A> {
  const [answer] = await send([one]);
  if (answer === undefined) throw new Error('the statement returned no result for a request');
  return answer;
}
