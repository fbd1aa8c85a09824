import { z } from 'zod';
import type { Transcript } from '../../kernel/log/event-catalog.ts';
import {
  emptyMap,
  lookUp,
  type PersistentMap,
  withEntry,
  withoutEntry,
} from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { Agent } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import { ActionId, ActorName, AgentRole, At, RecordRef } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { routeOf } from '../routes.ts';
import { ACTION_TYPES } from './events.ts';

const ACTION_STATUSES = ['PENDING', 'ACKNOWLEDGED', 'COMPLETED'] as const;

export const ActionView = namedObject('Action', {
  action_id: ActionId,
  type: z.enum(ACTION_TYPES).register(documented, { id: 'ActionType' }),
  text: z.string(),
  tool: z.string().optional().describe('Tool that fulfils the action.'),
  route: z.string().optional().describe('REST route of the tool.'),
  payload: z.record(z.string(), z.unknown()).optional().describe('Input for the tool.'),
  about: RecordRef.optional().describe('The record that the action concerns; absent if the payload names it.'),
  status: z.enum(ACTION_STATUSES).register(documented, { id: 'ActionStatus' }),
  due_to: AgentRole,
  from: ActorName,
  opened_at: At,
});
const CHANGE = ActionView.pick({ action_id: true, type: true, status: true });
/**
 * The answer of a call that changes an action. It leaves out the text of the action, which the caller has read before.
 */
export const ActionChange = namedObject('ActionChange', { action: CHANGE });
export const ActionIdInput = namedObject('ActionIdInput', { action_id: ActionId });

/** An action in the state. */
export interface Action extends Readonly<Omit<z.output<typeof ActionView>, 'route'>> {
  /** The key of the obligation that opened this action. Absent for an action that the owner opened. */
  readonly obligation?: string | undefined;
  /** Time at which an `action.settled` event closed the action. Null if no such event closed it. */
  readonly settled_at: string | null;
  /**
   * The number that is compared with the agent's cursor: the id of the latest message to the agent if the append that
   * opened the action also stored that message, otherwise the number of the event that opened the action.
   */
  readonly since: number;
  /**
   * Number of the event that caused the action: in the append that opened the action, the last event that the service
   * did not add itself. If there is no such event, the number of the event that opened the action.
   */
  readonly opened_for: number;
  /**
   * Number of the event that completed the action, or that added a note to it later. For an action that the service
   * closed, the number of the event that ended its obligation. Absent while the action is open.
   */
  readonly completed_seq?: number;
}

const pickAction = pickOf(ActionView);
const pickChange = pickOf(CHANGE);

export const viewAction = (action: Action): z.output<typeof ActionView> =>
  pickAction({ ...action, ...routeOf(action.tool, action.due_to) });

export const viewActionChange = (action: Action): z.output<typeof ActionChange> => ({ action: pickChange(action) });

export interface Actions {
  readonly all: PersistentMap<Action>;
  /** Ids of the actions that are not COMPLETED, oldest first. The map is used as a set. */
  readonly open: PersistentMap<true>;
  /**
   * By the key of each obligation that exists now, the id of its action. If an agent completes the action with
   * `complete_action`, the id stays in this map until the obligation ends.
   */
  readonly inForce: PersistentMap<string>;
  /** The member `since` of the newest action of each agent. */
  readonly latestFor: Readonly<Partial<Record<Agent, number>>>;
  /**
   * Number of the last event whose actor is not the service itself. The service adds its own events to the append of that
   * event.
   */
  readonly lastCall: number;
}

export const actionsSlice: Slice<Actions, { readonly transcript: Transcript }> = {
  empty: { all: emptyMap(), open: emptyMap(), inForce: emptyMap(), latestFor: {}, lastCall: 0 },
  folds: {
    'action.opened': (actions, event, { transcript }) => opened(actions, event, transcript),
    'action.acknowledged': (actions, event) =>
      put(actions, { ...known(actions, event.data.action_id), status: 'ACKNOWLEDGED' }),
    'action.completed': (actions, event) => put(actions, completed(known(actions, event.data.action_id), event.seq)),
    'action.settled': (actions, event) => settled(actions, known(actions, event.data.action_id), event),
    'action.fulfilled': (actions, event) => fulfilled(actions, known(actions, event.data.action_id), event),
  },
  each: (actions, event) => (event.actor === 'system' ? actions : { ...actions, lastCall: event.seq }),
};

type Opened = Extract<SessionEvent, { kind: 'action.opened' }>;

function opened(actions: Actions, event: Opened, { latest }: Transcript): Actions {
  const { all, open, inForce, latestFor, lastCall } = actions;
  const { action_id, due_to, obligation } = event.data;
  const message = latest[due_to].seen;
  const since = event.actor === 'system' && message >= lastCall ? message : event.seq;
  const action: Action = {
    ...event.data,
    from: event.actor,
    status: 'PENDING',
    settled_at: null,
    opened_at: event.at,
    since,
    opened_for: causeOf(actions, event),
  };
  return {
    ...actions,
    all: withEntry(all, action_id, action),
    open: withEntry(open, action_id, true),
    inForce: obligation === undefined ? inForce : withEntry(inForce, obligation, action_id),
    latestFor: { ...latestFor, [due_to]: since },
  };
}

/**
 * The number of the event that caused an action to be opened or completed. If the given event is the service's own, the
 * last event of a caller is the cause. Otherwise the given event is the cause.
 */
const causeOf = ({ lastCall }: Actions, { seq, actor }: SessionEvent): number =>
  actor === 'system' && lastCall > 0 ? lastCall : seq;

const completed = (action: Action, seq: number): Action => ({ ...action, status: 'COMPLETED', completed_seq: seq });

const settled = (actions: Actions, action: Action, event: SessionEvent): Actions =>
  put(actions, { ...completed(action, causeOf(actions, event)), settled_at: action.settled_at ?? event.at });

function put(actions: Actions, action: Action): Actions {
  const { all, open } = actions;
  const { action_id: id, status } = action;
  return {
    ...actions,
    all: withEntry(all, id, action),
    open: status === 'COMPLETED' ? withoutEntry(open, id) : open,
  };
}

function fulfilled(actions: Actions, action: Action, event: SessionEvent): Actions {
  const { action_id, obligation } = action;
  const { inForce } = actions;
  const isInForce = obligation !== undefined && lookUp(inForce, obligation) === action_id;
  const isCompleted = action.status === 'COMPLETED'; // Then `completed_seq` leads to the note of the agent.
  return {
    ...put(actions, isCompleted ? action : completed(action, causeOf(actions, event))),
    inForce: isInForce ? withoutEntry(inForce, obligation) : inForce,
  };
}

function known({ all }: Actions, id: string): Action {
  const action = lookUp(all, id);
  if (!action) throw new Error(`An event refers to action ${id}, which was never opened.`);
  return action;
}
