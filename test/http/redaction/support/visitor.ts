import type { OutgoingHttpHeaders } from 'node:http';
import { ask, type Heard } from '../../../support/exchange.ts';

interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends requests and records all answers that must not contain a secret. */
export interface Visitor {
  readonly heard: readonly string[];
  readonly statuses: ReadonlySet<number>;
  send(path: string, question?: Question): Promise<Heard>;
  /** Sends a request without recording its answer, which has to contain a secret. */
  sendUnheard(path: string, question?: Question): Promise<Heard>;
}

/** `url` returns the address of the server at the time of a request. */
export function createVisitor(url: () => string): Visitor {
  const heard: string[] = [];
  const statuses = new Set<number>();
  const sendUnheard = (path: string, question?: Question): Promise<Heard> => ask(url(), path, question);
  return {
    heard,
    statuses,
    sendUnheard,
    async send(path, question) {
      const answer = await sendUnheard(path, question);
      statuses.add(answer.status);
      heard.push(`${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`);
      return answer;
    },
  };
}
