import { z } from 'zod';
import { type Mission, Outcome, PARTS } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

/** Whether the moderator has a step. */
export const isModerated = (mission: Mission): boolean =>
  PARTS.some((part) => mission[part].some(({ by }) => by === 'moderator'));

/**
 * The mission with a moderator: the steps of `moderation` are inserted where it says.
 *
 * @throws Error when the mission has no part for a moderator
 */
export function withModerator(mission: Mission): Mission {
  const { moderation, ...rest } = mission;
  if (!moderation) throw new Error(`The mission ${mission.mission} has no part for a moderator.`);
  const woven = Object.fromEntries(
    PARTS.map((part) => {
      const steps = [...mission[part]];
      const insertions = moderation.insertions.filter((insertion) => insertion.part === part);
      // From the last insertion to the first, so that earlier positions stay valid.
      for (const { before, instead_of, steps: inserted } of insertions.toSorted((a, b) => b.before - a.before))
        steps.splice(before, instead_of, ...inserted);
      return [part, steps];
    }),
  );
  return { ...rest, ...woven, outcome: Outcome.parse({ ...mission.outcome, ...moderation.outcome }) };
}

const Events = z.object({
  events: z.array(z.looseObject({ id: z.int(), kind: z.string() })),
  next_cursor: z.int(),
  acked_cursor: z.int(),
  head: z.int(),
});
/** Events per page; few, so that a mission reads several pages. */
const PAGE = 20;

/**
 * The routine `take_in_events`: reads the events since the last acknowledgement page by page, and acknowledges each page.
 * The answer has all events.
 *
 * @throws Error if the feed is out of order or does not end at its head
 */
export async function takeInEvents(moderator: CallTool): Promise<Json> {
  const taken: z.output<typeof Events>['events'] = [];
  for (;;) {
    const page = Events.parse(await moderator('get_session_events', { limit: PAGE }));
    const { events, next_cursor, acked_cursor, head } = page;
    const ids = [acked_cursor, ...events.map(({ id }) => id)];
    if (ids.some((id, index) => id <= (ids[index - 1] ?? -1))) throw new Error(`The feed is out of order: ${ids}.`);
    taken.push(...events);
    // A session that has ended takes no acknowledgement.
    if (events.some(({ kind }) => kind === 'session.ended')) return { events: taken, acked_cursor, head };
    if (events.length > 0) await moderator('ack_events', { cursor: next_cursor });
    else if (next_cursor !== head) throw new Error(`The feed stops at ${next_cursor}; its head is ${head}.`);
    if (next_cursor >= head) return { events: taken, acked_cursor: next_cursor, head };
  }
}

const Questions = z.object({
  questions: z.array(
    z.object({
      intervention_id: z.string(),
      responses: z.array(z.object({ role: z.string(), text: z.string().nullable() })),
    }),
  ),
});
const Status = z.object({
  pending_actions: z.array(z.object({ action_id: z.string(), type: z.string() })),
});

/**
 * The routine `check_answers`: reads what the builders answered and completes the actions that ask for it.
 *
 * @throws Error if an agent has not answered a question
 */
export async function checkAnswers(moderator: CallTool): Promise<Json> {
  const { questions } = Questions.parse(await moderator('get_moderator_questions', {}));
  for (const { intervention_id, responses } of questions) {
    const silent = responses.find(({ text }) => text === null);
    if (silent) throw new Error(`${silent.role} has not answered ${intervention_id}.`);
  }
  let answer: Json = {};
  const { pending_actions } = Status.parse(await moderator('get_moderator_status', {}));
  for (const { action_id, type } of pending_actions)
    if (type === 'CHECK_ANSWER') answer = await moderator('complete_action', { action_id });
  return answer;
}
