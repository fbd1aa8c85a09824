import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { newFolder } from '../../new-folder.ts';
import { twoRepositories } from './two-repositories.ts';

const PUBLISHED = new URL('../../../../missions/payment-capture/entries.openapi.yaml', import.meta.url);
const BOOK = 'BREAKING  if-book-entry: POST /v1/entries:';
const FIND = 'BREAKING  if-find-entry: GET /v1/entries?idempotency_key=<capture_id>:';
const DECIDED = '(decided: d_2, d_4, d_5)';

/** What the document of the mission lacks of its contract: the header that revision r_2 added, and the body of 422. */
const LACKING = [
  `${BOOK} [Removed] annotation (headers) from Response 409 ${DECIDED}`,
  `${BOOK} [remove] responses/422/content ${DECIDED}`,
];

test('parley contract diff names what breaks a consumer, with the decisions, and not what the contract leaves open', async () => {
  const { contract } = await twoRepositories({ upTo: 'contract' });
  await contract('agent_a', 'pull');
  const file = join(await newFolder(), 'openapi.yaml');
  const yaml = await readFile(PUBLISHED, 'utf8');
  const diff = async (text: string, ...flags: readonly string[]) => {
    await writeFile(file, text);
    return await contract('agent_a', 'diff', '--against', file, ...flags);
  };
  const breaking = async (text: string) => {
    const { code, err, out } = await diff(text);
    return { code, err, lines: out.split('\n').filter((line) => line.startsWith('BREAKING')) };
  };
  const whole = yaml
    .replace(
      'CAPTURE_IN_PROGRESS. Retry. }',
      'CAPTURE_IN_PROGRESS., headers: { Retry-After: { schema: { type: integer } } } }',
    )
    .replace(
      "Do not retry. }\n        '503'",
      "No., content: { application/json: { schema: { type: object, required: [code, stored], properties: { code: { const: KEY_REUSED }, stored: { type: object, required: [amount_minor, currency, order_id], properties: { amount_minor: { type: integer }, currency: { type: string }, order_id: { type: string, format: uuid } } } } } } } }\n        '503'",
    );
  expect(await breaking(yaml)).toEqual({ code: EXIT.MISMATCH, err: '', lines: LACKING });
  expect(await breaking(whole)).toEqual({ code: EXIT.OK, err: '', lines: [] });

  const changed: readonly (readonly [string, string, readonly string[]])[] = [
    ['    get:', '    head:', [`${FIND} [Removed] operation GET /v1/entries ${DECIDED}`]],
    [
      'required: [order_id, external_reference, amount_minor, currency]',
      'required: [order_id, external_reference, amount_minor, currency, attempt]',
      [`${BOOK} [Added] required status to \`attempt\` in Request Body content (application/json) ${DECIDED}`],
    ],
    [
      'amount_minor: { type: integer, minimum: 1 }',
      'amount_minor: { type: integer, minimum: 100 }',
      [
        `${BOOK} [Replaced] minimum validator of \`amount_minor\` in Request Body content (application/json) ${DECIDED}`,
      ],
    ],
  ];
  for (const [from, to, says] of changed) {
    const text = whole.replace(from, to);
    expect(text).not.toBe(whole);
    expect(await breaking(text)).toEqual({ code: EXIT.MISMATCH, err: '', lines: says });
  }
  const wider = await diff(whole.replace('maxLength: 64', 'maxLength: 80'), '--json');
  expect(wider.code).toBe(EXIT.OK);
  expect(JSON.parse(wider.out)).toMatchObject({
    ok: true,
    findings: expect.arrayContaining([
      expect.objectContaining({ breaking: false, what: expect.stringContaining('`external_reference`') }),
    ]),
  });
  for (const [text, says] of [
    ['openapi: [', 'is neither JSON nor YAML'],
    ['openapi: 2.0.0', 'is no document of OpenAPI 3.0 or 3.1.'],
    ...[
      'other.yaml#/Entry',
      'file:///etc/hosts',
      'http://127.0.0.1:9/',
      '#/components/schemas/Gone',
      '#/__proto__/x',
    ].map((to) => [
      whole.replace("#/components/schemas/Entry'", `${to}'`),
      `has the $ref "${to}", which leads to nothing in it`,
    ]),
  ] as const)
    expect(await diff(text)).toMatchObject({ code: EXIT.USAGE, err: expect.stringContaining(says) });
  expect(await diff(yaml, '--role', 'agent_a')).toMatchObject({
    code: EXIT.USAGE,
    err: 'parley: The contract has no HTTP interface that agent_a provides which can be compared.',
  });
});
