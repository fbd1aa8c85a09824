import type { AddressInfo } from 'node:net';
import type { Answer, Listening, Question } from '../server-process.ts';

/** The options that the parent process has passed to this process. */
export const options: Readonly<Record<string, unknown>> = JSON.parse(process.argv[2] ?? '{}');

/** Sends the address of this server to the parent process. Ends this process when the parent process ends. */
export function tellParent(url: string): void {
  process.once('disconnect', () => process.exit());
  process.send?.({ url } satisfies Listening);
}

/** Answers each question of the parent process with a number. */
export function answerParent(answers: Readonly<Record<string, () => number | Promise<number>>>): void {
  process.on('message', async ({ id, question }: Question) => {
    const value = (await answers[question]?.()) ?? Number.NaN;
    process.send?.({ id, value } satisfies Answer);
  });
}

export const urlOf = (address: AddressInfo | string | null): string =>
  `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
