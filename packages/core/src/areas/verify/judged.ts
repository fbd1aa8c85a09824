import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { LeftOut } from '../../kernel/operation/bounded-lists.ts';
import type { Builder } from '../../kernel/roles.ts';
import { evidenceIn } from './events.ts';
import { levelOfItem } from './run.ts';
import type { Scenario } from './scenarios.ts';
import type { Evidence } from './state.ts';

/** Maximum size of the evidence that the call of one verdict shows, and of that in all calls of an answer, in bytes. */
export const GIVEN_BYTES = { call: 3_000, answer: 12_000 };

/** The number of the shortest items that fit into the call of one verdict: no more are read. */
export const MAX_JUDGED = 42;

/** The evidence that the other builder gave in the open attempt of a scenario. */
export const givenTo = ({ open }: Scenario, judge: Builder): readonly Evidence[] =>
  open?.evidence.filter(({ by }) => by !== judge) ?? [];

interface Judged {
  readonly given?: readonly Readonly<Record<string, unknown>>[];
  readonly left_out?: LeftOut;
}

interface Shown {
  readonly loaded: ReadonlyMap<number, LoggedEvent>;
  /** Maximum size in bytes. */
  readonly room: number;
}

/** What the other builder gave, with its texts, in the order of the evidence; an item that does not fit is left out. */
export function viewGiven(scenario: Scenario, judge: Builder, { loaded, room }: Shown): Judged & { spent: number } {
  const items = givenTo(scenario, judge);
  let spent = 0;
  const given = items.flatMap((item) => {
    const whole = viewWhole(item, loaded.get(item.message_id));
    const bytes = whole ? Buffer.byteLength(JSON.stringify(whole)) : 0;
    if (!whole || spent + bytes > room) return [];
    spent += bytes;
    return [whole];
  });
  const count = items.length - given.length;
  const how = `verify_board with scenario_id ${scenario.test.id} and attempt ${scenario.open?.attempt}.`;
  return { spent, ...(given.length > 0 && { given }), ...(count > 0 && { left_out: { count, how } }) };
}

/** Undefined if the event is of another kind, because after a failover another event can have the same number. */
function viewWhole(item: Evidence, event: LoggedEvent | undefined) {
  const body = event && evidenceIn(event);
  if (!body) return undefined;
  const { by, kind, request_id } = item;
  const { claim, summary, assertions, run } = body;
  return {
    ...{ by, kind, request_id, claim, summary },
    ...(assertions.length > 0 && { assertions }),
    ...(run && { run, level: levelOfItem(item) }),
  };
}
