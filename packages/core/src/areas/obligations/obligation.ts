import type { Agent } from '../../kernel/roles.ts';
import type { ACTION_TYPES } from '../actions/events.ts';

/**
 * A task that an agent must do now. `key` contains the type of the task, the agent, and the record or event that caused
 * the task, so that each task opens exactly one action.
 */
export interface Obligation {
  readonly key: string;
  readonly type: (typeof ACTION_TYPES)[number];
  readonly due_to: Agent;
  readonly text: string;
  /** Name of the tool that fulfils the obligation. Absent if no single tool does. */
  readonly tool?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The record that the obligation is about. Absent if the payload identifies the record. */
  readonly about?: { readonly type: string; readonly id: string };
}
