import {
  emptyMap,
  lookUp,
  type PersistentMap,
  withEntry,
  withoutEntry,
} from '../../kernel/log/persistent-collections.ts';
import type { Transcript } from '../../kernel/log/transcript.ts';
import type { Actor, Agent } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { ACTION_TYPES } from './events.ts';

export const ACTION_STATUSES = ['PENDING', 'ACKNOWLEDGED', 'COMPLETED'] as const;

export interface Action {
  readonly actionId: string;
  readonly type: (typeof ACTION_TYPES)[number];
  readonly text: string;
  readonly tool: string | undefined;
  readonly payload: Readonly<Record<string, unknown>> | undefined;
  readonly about: { readonly type: string; readonly id: string } | undefined;
  readonly dueTo: Agent;
  readonly from: Actor;
  readonly obligation: string | undefined;
  readonly status: (typeof ACTION_STATUSES)[number];
  readonly at: string;
  /** Number of the message stored in the same append; without a message, of the event that opened the action. */
  readonly since: number;
}

export interface Actions {
  readonly all: PersistentMap<Action>;
  /** Ids of actions that are not COMPLETED, oldest first; used as a set. */
  readonly open: PersistentMap<true>;
  /** Maps each current obligation to the id of its action, completed by hand or not. */
  readonly inForce: PersistentMap<string>;
  /** `since` of the action opened last for each agent. */
  readonly latestFor: Readonly<Partial<Record<Agent, number>>>;
  /** Number of the last event whose actor is not the system: the system adds its events in the same append. */
  readonly lastCall: number;
}

export const emptyActions: Actions = {
  all: emptyMap(),
  open: emptyMap(),
  inForce: emptyMap(),
  latestFor: {},
  lastCall: 0,
};

/**
 * @param transcript the transcript before the event
 */
export function evolveActions(actions: Actions, event: SessionEvent, transcript: Transcript): Actions {
  const next = evolve(actions, event, transcript);
  return event.actor === 'system' ? next : { ...next, lastCall: event.seq };
}

function evolve(actions: Actions, event: SessionEvent, transcript: Transcript): Actions {
  switch (event.kind) {
    case 'action.opened':
      return opened(actions, event, transcript);
    case 'action.acknowledged':
      return put(actions, { ...known(actions, event.data.action_id), status: 'ACKNOWLEDGED' });
    case 'action.completed':
      return put(actions, { ...known(actions, event.data.action_id), status: 'COMPLETED' });
    case 'action.fulfilled':
      return fulfilled(actions, known(actions, event.data.action_id));
    default:
      return actions;
  }
}

type Opened = Extract<SessionEvent, { kind: 'action.opened' }>;

function opened(actions: Actions, event: Opened, { latest }: Transcript): Actions {
  const { all, open, inForce, latestFor, lastCall } = actions;
  const { action_id, type, text, tool, payload, about, due_to, obligation } = event.data;
  const message = latest[due_to].seen;
  const since = event.actor === 'system' && message >= lastCall ? message : event.seq;
  const action: Action = {
    actionId: action_id,
    type,
    text,
    tool,
    payload,
    about,
    dueTo: due_to,
    from: event.actor,
    obligation,
    status: 'PENDING',
    at: event.at,
    since,
  };
  return {
    ...actions,
    all: withEntry(all, action_id, action),
    open: withEntry(open, action_id, true),
    inForce: obligation === undefined ? inForce : withEntry(inForce, obligation, action_id),
    latestFor: { ...latestFor, [due_to]: since },
  };
}

function put(actions: Actions, action: Action): Actions {
  const { all, open } = actions;
  const { actionId, status } = action;
  return {
    ...actions,
    all: withEntry(all, actionId, action),
    open: status === 'COMPLETED' ? withoutEntry(open, actionId) : open,
  };
}

function fulfilled(actions: Actions, action: Action): Actions {
  const { actionId, obligation } = action;
  const { inForce } = actions;
  const isInForce = obligation !== undefined && lookUp(inForce, obligation) === actionId;
  return {
    ...put(actions, { ...action, status: 'COMPLETED' }),
    inForce: isInForce ? withoutEntry(inForce, obligation) : inForce,
  };
}

function known({ all }: Actions, id: string): Action {
  const action = lookUp(all, id);
  if (!action) throw new Error(`An event refers to action ${id}, which was never opened.`);
  return action;
}
