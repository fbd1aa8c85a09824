import type { Owner } from '@parley/core';

export async function seqsOf(owner: Owner, sessionId: string, kind: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const line of owner.exportLog(sessionId)) {
    const event = JSON.parse(JSON.parse(line).event);
    if (event.kind === kind) seqs.push(event.seq);
  }
  return seqs;
}
