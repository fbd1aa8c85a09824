import type { Owner } from '@parley/core';

/** Returns the numbers of the session's events of this kind. */
export async function seqsOf(owner: Owner, sessionId: string, kind: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const line of owner.exportLog(sessionId)) {
    const event = JSON.parse(JSON.parse(line).event);
    if (event.kind === kind) seqs.push(event.seq);
  }
  return seqs;
}
