import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id: string;
    readonly attributes: { readonly label: string; readonly options?: readonly string[] };
    readonly validations?: { readonly required: boolean };
  }[];
}

const FOLDER = '.github/ISSUE_TEMPLATE';
const forms = readdirSync(FOLDER)
  .filter((file) => file !== 'config.yml')
  .map((file) => ({ file, form: formOf(file) }));

describe('the forms for issues', () => {
  test('are one for a bug and one for a feature', () => {
    expect(forms.map(({ form }) => form.name)).toEqual(['Bug report', 'Feature request']);
  });

  test.each(forms)('$file has fields of known types, each with an id and a label of its own', ({ form }) => {
    const { body } = form;
    expect(body.filter(({ type }) => !['textarea', 'input', 'dropdown'].includes(type))).toEqual([]);
    expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
    expect(new Set(body.map(({ attributes }) => attributes.label)).size).toBe(body.length);
  });

  test('a bug report requires the version and what the doctor says', () => {
    const required = formOf('bug_report.yml').body.filter(({ validations }) => validations?.required);
    expect(required.map(({ attributes }) => attributes.label)).toEqual([
      'What did you do, and what came back?',
      'What did you expect?',
      'Version',
      'npx parley doctor --json',
      'Where does it happen?',
    ]);
  });
});

function formOf(file: string): Form {
  return parse(readFileSync(`${FOLDER}/${file}`, 'utf8'));
}
