import type { Exchange, Facts } from '../world/exchange.ts';
import type { HostProcess } from '../world/process.ts';
import type { StoreListener } from '../world/true-store.ts';
import type { Reply } from '../world/wire.ts';
import type { Basis } from '../world/world.ts';
import { checkAccess, checkGrant, isOver } from './access-checks.ts';
import { type Book, named } from './book.ts';
import { noteCommit, noteRollback } from './commit-checks.ts';
import { newHistory, type SessionHistory } from './history.ts';
import { checkRates } from './rate-checks.ts';
import { checkRead } from './read-checks.ts';
import { checkWait } from './wait-checks.ts';
import { checkWrite, checkWrites, noteDelivery } from './write-checks.ts';

/** Observes every commit and every request, and reports violations. */
export interface Ledger extends StoreListener {
  begin(process: HostProcess, facts: Facts): Exchange;
  end(exchange: Exchange, reply: Reply): void;
  /** Records that the host crashed while it processed this request. */
  cutOff(exchange: Exchange): void;
  violate(text: string): void;
  readonly violations: readonly string[];
  history(sessionId: string): SessionHistory;
  openRequests(): readonly Exchange[];
  close(): void;
}

export function createLedger(world: Basis): Ledger {
  const { trace } = world;
  const violations: string[] = [];
  const book = newBook(world, (text) => {
    violations.push(text);
    trace.say(`VIOLATION ${text.split('\n', 1)}`); // The first line alone: a stack trace has paths of the machine, so the trace would differ.
  });
  let requests = 0;
  return {
    committed: (sessionId, events) => noteCommit(book, sessionId, events),
    rolledBack: (sessionId, lost) => noteRollback(book, sessionId, lost),
    begin(process, facts) {
      requests += 1;
      const exchange = beginExchange(book, requests, process, facts);
      trace.say(`${named(exchange)} begins`);
      return exchange;
    },
    end(exchange, reply) {
      trace.say(`${named(exchange)} → ${reply.status} ${shortened(reply)}`);
      book.open.delete(exchange);
      judge(book, exchange, reply);
    },
    cutOff: (exchange) => void book.open.delete(exchange),
    violate: book.violate,
    violations,
    history: book.history,
    openRequests: () => [...book.open],
    close() {
      checkWrites(book);
      checkRates(book);
      for (const exchange of book.open) book.violate(`${named(exchange)} never ended`);
    },
  };
}

function newBook(world: Basis, violate: (text: string) => void): Book {
  const histories = new Map<string, SessionHistory>();
  return {
    world,
    histories,
    writes: new Map(),
    marked: new Map(),
    lost: new Set(),
    answers: new Map(),
    admitted: [],
    open: new Set(),
    violate,
    history(sessionId) {
      const history = histories.get(sessionId) ?? newHistory();
      histories.set(sessionId, history);
      return history;
    },
  };
}

function beginExchange(book: Book, number: number, process: HostProcess, facts: Facts): Exchange {
  const history = book.history(facts.sessionId);
  const { role, key = '', marker, token } = facts;
  if (marker !== undefined) noteDelivery(book, marker, facts.key !== undefined);
  const exchange: Exchange = {
    number,
    process,
    facts,
    beganAt: book.world.timeline.now(),
    epoch: history.epoch,
    floor: history.vouched,
    isTokenOver: isOver(history, token),
    wasKeyAcknowledged: book.answers.has(`${role} ${key}`) && !book.lost.has(key),
  };
  book.open.add(exchange);
  return exchange;
}

function judge(book: Book, exchange: Exchange, reply: Reply): void {
  const { token, isCounted } = exchange.facts;
  if (reply.status === 500) book.violate(`${named(exchange)} failed: ${reply.body}`);
  if (isCounted && token !== undefined && reply.status !== 429 && reply.status !== 503)
    book.admitted.push({ token, beganAt: exchange.beganAt });
  checkAccess(book, exchange, reply);
  checkGrant(book, exchange, reply);
  checkWrite(book, exchange, reply);
  checkRead(book, exchange, reply);
  checkWait(book, exchange, reply);
}

const shortened = ({ status, body }: Reply): string =>
  status === 200 ? `${body.length} characters` : (/"error":"(\w+)"/.exec(body)?.[1] ?? body);
