import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkContract, checkDecisions, RULES } from '../../src/areas/validation/validate.ts';
import { FULL_CONTRACT, FULL_DECISION_IDS, FULL_MISSION } from '../full-contract/full-contract.ts';
import { coverageCases } from './cases/coverage-cases.ts';
import { decisionCases } from './cases/decision-cases.ts';
import { idCases } from './cases/id-cases.ts';
import { interfaceCases } from './cases/interface-cases.ts';
import { modelCases } from './cases/model-cases.ts';
import { restCases } from './cases/rest-cases.ts';
import { textCases } from './cases/text-cases.ts';
import { workCases } from './cases/work-cases.ts';
import { changed } from './changes.ts';

const CASES = {
  ...idCases,
  ...coverageCases,
  ...interfaceCases,
  ...modelCases,
  ...workCases,
  ...restCases,
  ...textCases,
};

describe.each(Object.entries(CASES))('%s', (code, { severity, cases }) => {
  test.each(cases)(`is a ${severity} only where it holds: $with`, ({ changes, mission, at }) => {
    const { contract, issues } = checkContract(changed(changes), { ...FULL_MISSION, ...mission });
    expect(contract).not.toBeNull();
    const found = issues.filter((issue) => issue.code === code);
    expect(found.map(({ pointer }) => pointer)).toEqual(at);
    expect(found.map((issue) => issue.severity)).toEqual(at.map(() => severity));
  });
});

describe.each(Object.entries(decisionCases))('%s', (code, { severity, cases }) => {
  test.each(cases)(
    `is a ${severity} only where it holds: $with`,
    ({ named, statuses, topics = [], cited = [], at }) => {
      const known = new Map(Object.entries(statuses));
      const resolved = [...known].flatMap(([id, status]) => (status === 'RESOLVED' ? [id] : []));
      const facts = { statusOf: (id: string) => known.get(id), replacementOf: () => undefined, resolved, topics };
      const found = checkDecisions(named, facts, cited).filter((issue) => issue.code === code);
      expect(found.map(({ pointer }) => pointer)).toEqual(at);
      expect(found.map((issue) => issue.severity)).toEqual(at.map(() => severity));
    },
  );
});

describe('the rules', () => {
  const tested: Record<string, { severity: string; cases: readonly { at: readonly string[] }[] }> = {
    ...CASES,
    ...decisionCases,
  };

  test('have codes of their own, in capitals', () => {
    const codes = RULES.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  });

  test('are exactly those that have cases here, with their severity', () => {
    const bySeverity = RULES.map(({ code, severity }) => [code, severity]);
    expect(bySeverity.toSorted()).toEqual(
      Object.entries(tested)
        .map(([code, { severity }]) => [code, severity])
        .toSorted(),
    );
  });

  test.each(Object.entries(tested))('%s has a case that fails and one that passes', (_, { cases }) => {
    expect(cases.some(({ at }) => at.length > 0)).toBe(true);
    expect(cases.some(({ at }) => at.length === 0)).toBe(true);
  });

  test('are explained, with what to do, in a sentence or two', () => {
    for (const { explanation, hint } of RULES) {
      for (const text of [explanation, hint]) expect(text).toMatch(/^[A-Z].{20,200}\.$/s);
    }
  });

  test('are listed in the documents, errors first', () => {
    const page = readFileSync(new URL('../../../../docs/validation-rules.md', import.meta.url), 'utf8');
    const codes = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    const of = (wanted: string) => RULES.flatMap(({ code, severity }) => (severity === wanted ? [code] : []));
    expect(codes).toEqual(['SCHEMA', ...of('error'), ...of('warning'), 'UNCHANGED_CONTENT', 'DECISION_REPEATED']);
  });

  test('find no fault in the example', () => {
    expect(checkContract(FULL_CONTRACT, FULL_MISSION)).toEqual({
      contract: FULL_CONTRACT,
      issues: [],
      errorCount: 0,
      warningCount: 0,
    });
    const decisions = {
      statusOf: () => 'RESOLVED' as const,
      replacementOf: () => undefined,
      resolved: FULL_DECISION_IDS,
      topics: [],
    };
    expect(checkDecisions(FULL_CONTRACT.decisions, decisions)).toEqual([]);
  });
});
