import type { AddressInfo } from 'node:net';
import type { Listening } from '../server-process.ts';

/** What the parent wants of this process. */
export const options: Readonly<Record<string, unknown>> = JSON.parse(process.argv[2] ?? '{}');

/** Says where this server listens; it ends when its parent does. */
export function tellParent(url: string): void {
  process.once('disconnect', () => process.exit());
  process.send?.({ url } satisfies Listening);
}

export const urlOf = (address: AddressInfo | string | null): string =>
  `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
