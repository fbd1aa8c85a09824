import { visibleLine } from '../../text/visible.ts';

interface Case {
  readonly name: string;
  /** What is wrong, in a sentence. */
  readonly fault?: string | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const attribute = (text: string): string => visibleLine(text).replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

/** A report in JUnit XML, as CI systems show it. */
export function junitText(suite: string, cases: readonly Case[]): string {
  const failed = cases.filter(({ fault }) => fault !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${attribute(suite)}" tests="${cases.length}" failures="${failed}">`,
    ...cases.map(({ name, fault }) => {
      const begin = `  <testcase classname="${attribute(suite)}" name="${attribute(name)}"`;
      return fault === undefined ? `${begin}/>` : `${begin}><failure message="${attribute(fault)}"/></testcase>`;
    }),
    '</testsuite>',
    '',
  ].join('\n');
}
