import { describeRules, type RuleReference } from '@parley/core';
import { tableRow } from '../markdown-table.ts';

export const file = 'docs/validation-rules.md';

export function render(): string {
  const rules = describeRules();
  return `${[
    '# Validation rules\n',
    'Generated from the rules by `pnpm docs:validation-rules`. Every contract revision is validated by them, and so is a draft',
    'that `validate_contract_draft` is given; `get_contract_schema` hands out the same list. An issue names its code, its',
    'severity, a JSON Pointer into the contract, what is wrong and what to do. A code keeps its meaning for good.\n',
    'If a contract breaks its schema, no other rule is checked.\n',
    '## Errors\n',
    'A revision with an error is stored and cannot be certified.\n',
    ...tableOf(rules.filter(({ severity }) => severity === 'error')),
    '\n## Warnings\n',
    'A warning blocks nothing. The author decides what to do about it, and the reviewer sees it.\n',
    ...tableOf(rules.filter(({ severity }) => severity === 'warning')),
  ].join('\n')}\n`;
}

const tableOf = (rules: readonly RuleReference[]): string[] => [
  tableRow(['Code', 'Rule', 'What to do']),
  tableRow(['---', '---', '---']),
  ...rules.map(({ code, explanation, hint }) => tableRow([`\`${code}\``, cellText(explanation), cellText(hint)])),
];

/** Escapes `<`, because Markdown would read it as the beginning of a tag. */
const cellText = (text: string): string => text.replaceAll('<', '&lt;');
