import type { Actor } from '../../kernel/roles.ts';

/** A call that a builder must or can make next. The agent must replace each `<...>` in the payload. */
export interface NextItem {
  readonly tool: string;
  readonly route: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Why the call is due. Contains codes and ids, but no text of an agent. */
  readonly reason: string;
  readonly scenarioId?: string;
  /** Id of the defect that the builder must fix before this call. The call itself does not name the defect. */
  readonly fixes?: string;
  /** Id of the directive that the builder has acknowledged and answers with this call. */
  readonly reportsOn?: string;
  readonly otherAddress?: string;
  readonly said?: { readonly from: Actor; readonly text: string };
}
