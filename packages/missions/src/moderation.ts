import type { ToolOutput } from '@parley/core/client';
import { type Mission, Outcome, PARTS } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

/** Whether the mission contains a step of the moderator. */
export const isModerated = (mission: Mission): boolean =>
  PARTS.some((part) => mission[part].some(({ by }) => by === 'moderator'));

/**
 * Returns the mission with its moderator: the steps of `moderation` are inserted at their places, or replace other
 * steps.
 *
 * @throws Error if the mission has no `moderation`, or if an insertion is beyond the end of its part of the mission
 */
export function withModerator(mission: Mission): Mission {
  const { moderation, ...rest } = mission;
  if (!moderation) throw new Error(`The mission ${mission.mission} has no part for a moderator.`);
  const woven = Object.fromEntries(
    PARTS.map((part) => {
      const steps = [...mission[part]];
      const insertions = moderation.insertions.filter((insertion) => insertion.part === part);
      // Inserts from the end to the beginning, so that the positions of the remaining insertions stay valid.
      for (const { before, instead_of, steps: inserted } of insertions.toSorted((a, b) => b.before - a.before)) {
        if (before > mission[part].length)
          throw new Error(
            `An insertion of ${mission.mission} is before step ${before} of ${part}, which has ${mission[part].length} steps.`,
          );
        steps.splice(before, instead_of, ...inserted);
      }
      return [part, steps];
    }),
  );
  return { ...rest, ...woven, outcome: Outcome.parse({ ...mission.outcome, ...moderation.outcome }) };
}

export type FeedEvent = ToolOutput<'get_session_events'>['events'][number];

interface Taken {
  readonly events: readonly FeedEvent[];
  readonly acked_cursor: number;
  readonly head: number;
}

/**
 * The routine `take_in_events`: reads all events after the last acknowledged event, page by page and with the parameter
 * `brief`, and then acknowledges them.
 *
 * @throws Error if the events are out of order or do not end at the head
 */
export async function takeInEvents(moderator: CallTool): Promise<Taken> {
  const taken: FeedEvent[] = [];
  let page = await moderator('get_session_events', { brief: true });
  for (let { acked_cursor: after } = page; ; after = page.next_cursor) {
    const ids = [after, ...page.events.map(({ id }) => id)];
    if (ids.some((id, index) => id <= (ids[index - 1] ?? -1))) throw new Error(`The feed is out of order: ${ids}.`);
    taken.push(...page.events);
    const { next_cursor, head } = page;
    if (next_cursor >= head) break;
    if (next_cursor === after) throw new Error(`The feed stops at event ${next_cursor}; its head is event ${head}.`);
    page = await moderator('get_session_events', { after: next_cursor, brief: true });
  }
  const { next_cursor, acked_cursor, head } = page;
  // Without new events, or after the end of the session, there is nothing to acknowledge.
  if (next_cursor === acked_cursor || taken.some(({ kind }) => kind === 'session.ended'))
    return { events: taken, acked_cursor, head };
  await moderator('ack_events', { cursor: next_cursor });
  return { events: taken, acked_cursor: next_cursor, head };
}

/** The routine `check_answers`: completes each action that `events` open to have an answer checked. */
export async function checkAnswers(moderator: CallTool, events: readonly FeedEvent[]): Promise<Json> {
  let answer: Json = {};
  for (const { kind, subject, data } of events)
    if (kind === 'action.opened' && data.type === 'CHECK_ANSWER')
      answer = await moderator('complete_action', { action_id: subject.id });
  return answer;
}
