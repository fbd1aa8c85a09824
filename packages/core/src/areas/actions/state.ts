import { z } from 'zod';
import { defineEvents } from '../../kernel/event-catalog.ts';
import { emptyTable, lookUp, type Table, withEntry } from '../../kernel/history.ts';
import type { Actor, Agent } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { AgentRole } from '../fields.ts';

export const ACTION_TYPES = [
  'REVIEW_REVISION',
  'RESPOND_FINDING',
  'ACK_DIRECTIVE',
  'CONFIRM_RECEIPTS',
  'SUBMIT_READINESS',
  'BEGIN_BUILD',
  'DECLARE_HANDSHAKE',
  'FIX_DEFECT',
  'OWNER_TASK',
  'CHECK_ANSWER',
  'ASSESS_RESPONSE',
] as const;
export const ACTION_STATUSES = ['PENDING', 'ACKNOWLEDGED', 'COMPLETED'] as const;

const ActionRef = { action_id: z.string(), due_to: AgentRole };

export const actionEvents = defineEvents({
  'action.opened': {
    v: 1,
    seenBy: 'addressee',
    message: false,
    data: z.strictObject({
      ...ActionRef,
      type: z.enum(ACTION_TYPES),
      text: z.string(),
      tool: z.string().optional(),
      payload: z.record(z.string(), z.unknown()).optional(),
      /** The record it is about, where no tool and payload say so. */
      about: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      /** Present on derived actions: the obligation this one stands for. */
      obligation: z.string().optional(),
    }),
  },
  'action.acknowledged': { v: 1, seenBy: 'addressee', message: false, data: z.strictObject(ActionRef) },
  'action.completed': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject(ActionRef) },
  'action.fulfilled': { v: 1, seenBy: 'addressee', message: false, data: z.strictObject(ActionRef) },
});

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
}

export interface Actions {
  readonly all: Table<Action>;
  /** Ids of those not COMPLETED, oldest first. */
  readonly open: readonly string[];
  /** Obligations in force and the action that stands for each, completed by hand or not. */
  readonly inForce: Readonly<Record<string, string>>;
}

export const emptyActions: Actions = { all: emptyTable(), open: [], inForce: {} };

export function evolveActions(actions: Actions, event: SessionEvent): Actions {
  switch (event.kind) {
    case 'action.opened':
      return opened(actions, event.data, event.actor, event.at);
    case 'action.acknowledged':
      return put(actions, { ...known(actions, event.data.action_id), status: 'ACKNOWLEDGED' });
    case 'action.completed':
      return put(actions, { ...known(actions, event.data.action_id), status: 'COMPLETED' });
    case 'action.fulfilled':
      return released(
        put(actions, { ...known(actions, event.data.action_id), status: 'COMPLETED' }),
        event.data.action_id,
      );
    default:
      return actions;
  }
}

type Opened = Extract<SessionEvent, { kind: 'action.opened' }>['data'];

function opened({ all, open, inForce }: Actions, data: Opened, from: Actor, at: string): Actions {
  const { action_id, type, text, tool, payload, about, due_to, obligation } = data;
  const action: Action = {
    actionId: action_id,
    type,
    text,
    tool,
    payload,
    about,
    dueTo: due_to,
    from,
    obligation,
    status: 'PENDING',
    at,
  };
  return {
    all: withEntry(all, action_id, action),
    open: [...open, action_id],
    inForce: obligation === undefined ? inForce : { ...inForce, [obligation]: action_id },
  };
}

function put({ all, open, inForce }: Actions, action: Action): Actions {
  const isOpen = action.status !== 'COMPLETED';
  return {
    all: withEntry(all, action.actionId, action),
    open: isOpen ? open : open.filter((id) => id !== action.actionId),
    inForce,
  };
}

function released(actions: Actions, actionId: string): Actions {
  const inForce = Object.fromEntries(Object.entries(actions.inForce).filter(([, id]) => id !== actionId));
  return { ...actions, inForce };
}

function known({ all }: Actions, id: string): Action {
  const action = lookUp(all, id);
  if (!action) throw new Error(`The log names an action ${id} that it never opened.`);
  return action;
}
