import type { Json } from '@parley/missions';
import { ask } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { Seat } from './scene.ts';

export interface Page {
  readonly messages: readonly Json[];
  readonly next: number;
}

export async function readPage(host: HostProcess, seat: Seat, after: number): Promise<Page> {
  const { status, text, body } = await ask({ host, seat, route: `GET messages?after=${after}` });
  if (status !== 200) throw new Error(`messages: ${status} ${text}`);
  return { messages: Array.isArray(body.messages) ? body.messages : [], next: Number(body.next_cursor) };
}

export async function readTranscript(host: HostProcess, seat: Seat): Promise<Json[]> {
  const all: Json[] = [];
  for (let after = 0; ; ) {
    const { messages, next } = await readPage(host, seat, after);
    if (messages.length === 0) return all;
    all.push(...messages);
    after = next;
  }
}
