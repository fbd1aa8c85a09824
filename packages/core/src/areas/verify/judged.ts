import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { LeftOut } from '../../kernel/operation/bounded-lists.ts';
import type { Builder } from '../../kernel/roles.ts';
import { evidenceIn } from './events.ts';
import { levelOfItem } from './run.ts';
import type { Scenario } from './scenarios.ts';
import type { Evidence } from './state.ts';

/** Maximum size of the evidence that the call of one verdict shows, in bytes. */
const GIVEN_BYTES = 3_000;

/** The evidence that the other builder gave in the open attempt of a scenario. */
export const givenTo = ({ open }: Scenario, judge: Builder): readonly Evidence[] =>
  open?.evidence.filter(({ by }) => by !== judge) ?? [];

export interface Judged {
  readonly given?: readonly Readonly<Record<string, unknown>>[];
  readonly left_out?: LeftOut;
}

/** What the other builder gave, with its texts, as much as fits beside the call of the verdict. */
export function viewGiven(scenario: Scenario, judge: Builder, loaded: ReadonlyMap<number, LoggedEvent>): Judged {
  const items = givenTo(scenario, judge);
  let left = GIVEN_BYTES;
  const given = items.flatMap((item) => {
    const whole = viewWhole(item, loaded.get(item.message_id));
    left -= whole ? Buffer.byteLength(JSON.stringify(whole)) : 0;
    return whole && left >= 0 ? [whole] : [];
  });
  const count = items.length - given.length;
  const how = `verify_board with scenario_id ${scenario.test.id} and attempt ${scenario.open?.attempt}.`;
  return { ...(given.length > 0 && { given }), ...(count > 0 && { left_out: { count, how } }) };
}

/** Undefined if the event is of another kind, because after a failover another event can have the same number. */
function viewWhole(item: Evidence, event: LoggedEvent | undefined) {
  const body = event && evidenceIn(event);
  if (!body) return undefined;
  const { message_id, by, kind, request_id, failed } = item;
  const { claim, summary, assertions, run } = body;
  const level = levelOfItem(item);
  return { message_id, by, kind, request_id, failed, level, claim, summary, assertions, ...(run && { run }) };
}
