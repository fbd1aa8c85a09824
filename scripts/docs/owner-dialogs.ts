import { describeDialogs } from '@parley/core';

const FOLDER = 'packages/owner-app/console/src/session';
const HEAD = '/** Generated from the registry by `pnpm docs:owner-dialogs`. */\n';

/**
 * Modules with the buttons and the dialogs of the owner's operations, so that the console has them without the definitions of the
 * operations. Each page of a session loads the buttons; the dialogs are loaded when one is opened.
 */
export function files(): Readonly<Record<string, string>> {
  const all = Object.entries(describeDialogs());
  const buttons = all.map(([name, { button, needs, offered }]) => [name, { button, needs, offered }] as const);
  const dialogs = all.map(([name, { button, needs, offered, ...dialog }]) => [name, dialog] as const);
  return {
    [`${FOLDER}/owner-buttons.ts`]: `${HEAD}import type { DialogReference } from '@parley/core';

/** The operations whose dialog is made from their definition. */
export const DIALOG_OPERATIONS = [${all.map(([name]) => `'${name}'`).join(', ')}] as const;

export type DialogOperation = (typeof DIALOG_OPERATIONS)[number];

export const OWNER_BUTTONS: Readonly<Record<DialogOperation, Pick<DialogReference, 'button' | 'needs' | 'offered'>>> = {
${rows(buttons)}
};
`,
    [`${FOLDER}/owner-dialogs.ts`]: `${HEAD}import type { DialogReference } from '@parley/core';
import type { DialogOperation } from './owner-buttons.ts';

export const OWNER_DIALOGS: Readonly<Record<DialogOperation, Omit<DialogReference, 'button' | 'needs' | 'offered'>>> = {
${rows(dialogs)}
};
`,
  };
}

const rows = (entries: readonly (readonly [string, object])[]): string =>
  entries.map(([name, facts]) => `  ${name}: ${JSON.stringify(facts)},`).join('\n');
