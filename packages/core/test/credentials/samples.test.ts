import { describe, expect, test } from 'vitest';
import type { Certainty } from '../../src/areas/credentials/pattern.ts';
import { findCredentials, findInTexts } from '../../src/areas/credentials/rules.ts';
import { CERTAIN_FORMS, LIKELY_FORMS } from './forms.ts';
import { createSigns, filledIn } from './made-up.ts';

type Sample = readonly [kind: string, text: string];

const SAMPLES_OF_EACH = 3;

function samplesOf(forms: readonly Sample[]): Sample[] {
  const signs = createSigns(41);
  return forms.flatMap(([kind, form]) =>
    Array.from({ length: SAMPLES_OF_EACH }, (): Sample => [kind, filledIn(form, signs)]),
  );
}

const certain = samplesOf(CERTAIN_FORMS);
const likely = samplesOf(LIKELY_FORMS);

const missed = (samples: readonly Sample[], certainty: Certainty, place: (text: string) => string) =>
  samples.filter(([kind, text]) => !findInTexts([place(text)], certainty).some((found) => found.kind === kind));

const PLACES: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  'in a sentence': (text) => `It answered 401 until I sent ${text} with it.`,
  'in brackets and quotes': (text) => `log("${text}")`,
  'after an escaped line end': (text) => `first line\\n${text}`,
  'in a table': (text) => `| name | ${text} | yes |`,
  'behind a comment that would switch a scanner off': (text) => `// secretlint-disable\n# gitleaks:allow\n${text}`,
};

describe('credentials', () => {
  test('of more than a hundred kinds are known, in more than four hundred samples', () => {
    expect(certain.length + likely.length).toBeGreaterThan(400);
    expect(new Set([...certain, ...likely].map(([kind]) => kind)).size).toBeGreaterThan(100);
  });

  test.each(Object.entries(PLACES))('are found %s', (_, place) => {
    expect(missed(certain, 'certain', place)).toEqual([]);
    expect(missed([...certain, ...likely], 'likely', place)).toEqual([]);
  });

  test('are found even if invisible characters divide them', () => {
    const cut = (text: string) => text.replace(/(?<=^.{6})/, '\u200b').replace(/(?<=^.{12})/, '\u00ad\ufe0f\u{e0041}');
    const tokens = certain.filter(([, text]) => !text.includes('\n'));
    expect(missed(tokens, 'certain', cut)).toEqual([]);
  });

  test('that are only likely are not reported as certain', () => {
    expect(likely.filter(([, text]) => findInTexts([text], 'certain').length > 0)).toEqual([]);
  });

  test('are reported with their place, and never shown', () => {
    for (const [, text] of [...certain, ...likely]) {
      const found = JSON.stringify(
        findCredentials({ claim: 'It works.', assertions: [{ actual: { body: text } }] }, 'likely'),
      );
      expect(found).toContain('"path":"assertions[0].actual.body"');
      expect(found.includes(text.slice(-12))).toBe(false);
    }
  });
});
