import { SETTINGS } from '@parley/owner-app';
import { withGeneratedPart } from '../generated-part.ts';
import { tableRow } from '../markdown-table.ts';

/** docs/deploy.md. Its table of settings is generated from the program. */
export const file = 'docs/deploy.md';

export function render(): string {
  const rows = SETTINGS.map(({ variable, flag = '', purpose, isSecret }) => [
    `\`${variable}\``,
    flag && `\`${flag}\``,
    isSecret ? `${purpose}; a secret` : purpose,
  ]);
  const table = [['Variable', 'Flag of `parley serve`', 'What it says'], ['---', '---', '---'], ...rows];
  return withGeneratedPart(file, table.map(tableRow).join('\n'));
}
