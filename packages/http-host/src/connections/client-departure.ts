import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Departure } from '@parley/core';
import { onRequestEnd } from './on-request-end.ts';

/**
 * Reports that a client disconnected before its answer was sent. Used instead of an `AbortController`, which would take
 * more memory for each request.
 */
export class ClientDeparture implements Departure {
  #isGone = false;
  #listeners: readonly (() => void)[] = [];

  constructor(request: IncomingMessage, response: ServerResponse) {
    onRequestEnd(request, response, (isAnswered) => {
      const listeners = this.#listeners;
      this.#listeners = [];
      if (isAnswered) return;
      this.#isGone = true;
      for (const listener of listeners) listener();
    });
  }

  get aborted(): boolean {
    return this.#isGone;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }
}
