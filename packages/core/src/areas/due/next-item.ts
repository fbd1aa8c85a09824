import type { Actor } from '../../kernel/roles.ts';

/** One call that a builder owes or that advances the verification, ready to be sent; the agent replaces each <...>. */
export interface NextItem {
  readonly tool: string;
  readonly route: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Built from ids and codes only. */
  readonly reason: string;
  readonly scenarioId?: string;
  /** The question or directive that the call answers, as its author wrote it. */
  readonly said?: { readonly from: Actor; readonly text: string };
}
