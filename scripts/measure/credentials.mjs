// `pnpm measure:credentials` measures the search for credentials in texts of 200,000 characters that make the search
// slow. It fails if the search in a text takes longer than 20 ms.
import process from 'node:process';
import { openSources } from '../run-sources.mjs';

const CHARS = 200_000;
const ROUNDS = 3;
const MOST_MS = 20;

const sources = await openSources();
const { spansIn } = await sources.ssrLoadModule('/packages/core/src/areas/credentials/rules.ts');
const { findCredentials } = await sources.ssrLoadModule('/packages/core/src/areas/credentials/rules.ts');
const { CREDENTIAL_PATTERNS } = await sources.ssrLoadModule('/packages/core/src/areas/credentials/patterns.ts');

const filled = (piece) => piece.repeat(Math.ceil(CHARS / piece.length)).slice(0, CHARS);

/**
 * Texts that make the search slow, by name. Each text repeats the literal with which a search pattern begins, either
 * alone or followed by text that the pattern scans without a match.
 */
const hostile = new Map();
const literals = new Set(CREDENTIAL_PATTERNS.flatMap(({ starts }) => starts));
const names = [
  'password=',
  'pwd: ',
  'secret=',
  'token: "',
  'api_key =',
  'authorization: bearer ',
  'cookie: ',
  'basic ',
  'aws_secret_access_key=',
];
for (const literal of [...literals, ...names, '@', ':', '=', '--token ', '-----BEGIN RSA PRIVATE KEY-----']) {
  hostile.set(`${literal} repeated`, filled(literal));
  for (const length of [3, 15, 19, 35, 39])
    hostile.set(`${literal} + ${length}`, filled(`${literal}${'a1B2c3D4e5F6g7H8'.repeat(3).slice(0, length)} `));
  hostile.set(`${literal} + hex`, filled(`${literal}${'0f1e2d3c'.repeat(8)}`));
  hostile.set(`${literal} + long`, filled(`${literal}${'aB3-_x9Z.'.repeat(300)}`));
}
hostile.set('every literal', filled([...literals].join(' ')));
hostile.set('every literal and name', filled([...literals, ...names].join('')));
hostile.set('base64', filled(Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 256)).toString('base64')));
hostile.set('hex', filled('0123456789abcdef'));
hostile.set('digits and colons', filled('123456789:'));
hostile.set('spaces', filled(' '));
hostile.set('zero width', filled('a\u200b'));
hostile.set('letters beyond Latin', filled('Größe и 数 '));
hostile.set('prose', filled('The service answers 201 with the id of the order, and 409 when the stock is gone. '));
hostile.set('JSON', filled('{"order_id":"o_17","items":[{"sku":"A-17","count":3}],"status":"open"},'));

function best(run, rounds = ROUNDS) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const texts = [...hostile];
for (const [, text] of texts.slice(0, 40)) spansIn(text, 'likely', 20);
const times = texts.map(([name, text]) => ({ name, ms: best(() => findCredentials(text, 'likely')) }));
times.push({
  name: '15,000 short texts',
  ms: best(() =>
    findCredentials(
      Array.from({ length: 15_000 }, (_, i) => `item number ${i}`),
      'likely',
    ),
  ),
});
for (const time of times.toSorted((a, b) => b.ms - a.ms).slice(0, 30)) {
  const text = hostile.get(time.name);
  if (text) time.ms = best(() => findCredentials(text, 'likely'), 20);
}
const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, Number(process.argv[2] ?? 12));
for (const { name, ms } of slowest) process.stdout.write(`${ms.toFixed(1).padStart(8)} ms  ${name}\n`);
const ordinary = 'x '.repeat(40) + 'POST /orders answered 201 in 17 ms, request_id 7f0c; stock left 3. '.repeat(28);
const each =
  best(() => {
    for (let i = 0; i < 200; i += 1) findCredentials({ summary: ordinary }, 'likely');
  }) / 200;
process.stdout.write(`${(each * 1000).toFixed(0).padStart(8)} µs  an ordinary text of ${ordinary.length} characters\n`);
process.stdout.write(
  `${times.length} texts, ${CREDENTIAL_PATTERNS.length} patterns, ${new Set(CREDENTIAL_PATTERNS.map(({ kind }) => kind)).size} kinds\n`,
);
process.exitCode = (slowest[0]?.ms ?? 0) <= MOST_MS ? 0 : 1;
await sources.close();
