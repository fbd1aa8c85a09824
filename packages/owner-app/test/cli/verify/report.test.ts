import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { fileMark, readReport } from '../../../src/cli/verify/attach.ts';
import type { ReportFormat } from '../../../src/reports/test-report.ts';
import { newFolder } from '../../new-folder.ts';

async function report(format: ReportFormat, content: string | Uint8Array) {
  const path = join(await newFolder(), 'report');
  await writeFile(path, content);
  return readReport(format, path);
}

const refused = (reason: string) => ({
  exitCode: EXIT.USAGE,
  message: expect.stringMatching(
    new RegExp(`^The report .*/report is refused: .*${reason}.* Nothing was sent\\.$`, 's'),
  ),
});

const JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="4" failures="1" errors="0">
  <testsuite name="captures" tests="4" failures="1" errors="0">
    <testcase classname="captures.test.ts" name="captures &gt; books once" time="0.1"/>
    <testcase classname="captures.test.ts" name="captures &gt; refuses
      another key"><failure message="no">at line 3</failure></testcase>
    <testcase name="later"><skipped/></testcase>
    <testcase name="off" status="notrun"></testcase>
  </testsuite>
</testsuites>`;

describe('a JUnit report', () => {
  test('gives each test case with its class and its result, and the hash and size of the file', async () => {
    expect(await report('junit', JUNIT)).toEqual({
      format: 'junit',
      sha256: '12f00a8fc3f771206adf2eb5d23a144aa2586198aa7ab7ade1b3b84bb15edf29',
      size: 522,
      tests: [
        { name: 'captures > books once', suite: 'captures.test.ts', status: 'passed' },
        { name: 'captures > refuses another key', suite: 'captures.test.ts', status: 'failed' },
        { name: 'later', status: 'skipped' },
        { name: 'off', status: 'skipped' },
      ],
      otherFailures: 0,
    });
  });

  test('counts a test whose case contains an element with the name of a member of all objects', async () => {
    const suite = '<testsuite><testcase name="a"><constructor/></testcase></testsuite>';
    expect((await report('junit', suite)).tests).toEqual([{ name: 'a', status: 'passed' }]);
  });

  test('counts failures that no test case has, such as those of a suite that did not start', async () => {
    const suites = '<testsuites><testsuite tests="1" errors="2"><testcase name="a"/></testsuite></testsuites>';
    expect(await report('junit', suites)).toMatchObject({ tests: [{ status: 'passed' }], otherFailures: 2 });
  });

  test.each([
    ['of the root', '<testsuites failures="2" errors="1"><testsuite><testcase name="a"/></testsuite></testsuites>', 3],
    [
      'of a suite inside another',
      '<testsuite failures="0"><testsuite errors="1"><testcase name="a"/></testsuite><testsuite failures="1"><testcase name="b"><failure/></testcase></testsuite></testsuite>',
      1,
    ],
    ['as an element of the suite', '<testsuite><error>no ledger</error><failure/><testcase name="a"/></testsuite>', 2],
    ['both counted and as an element', '<testsuite errors="1"><testcase name="a"/><error/></testsuite>', 1],
    ['as an element of the root', '<testsuites><error/><testsuite><testcase name="a"/></testsuite></testsuites>', 1],
  ])('counts failures without a test case: %s', async (_where, suites, otherFailures) => {
    expect(await report('junit', suites)).toMatchObject({ otherFailures });
  });

  test('takes a word of status or result for a failure, unless it says that the test passed or did not run', async () => {
    const words = [
      'run',
      'completed',
      'passed',
      'success',
      'notrun',
      'skipped',
      'failed',
      'error',
      'timeout',
      'aborted',
    ];
    const cases = words.map((word) => `<testcase name="${word}" status="${word}"/>`).join('');
    const { tests } = await report(
      'junit',
      `<testsuite>${cases}<testcase name="b" status="run" result="broken"/></testsuite>`,
    );
    expect(tests.map(({ status }) => status)).toEqual([
      ...['passed', 'passed', 'passed', 'passed', 'skipped', 'skipped', 'failed', 'failed', 'failed', 'failed'],
      'failed',
    ]);
  });

  test('lets a failure stand if the same test case is also skipped', async () => {
    const both = '<testsuite><testcase name="a"><error/><skipped/></testcase></testsuite>';
    expect(await report('junit', both)).toMatchObject({ tests: [{ name: 'a', status: 'failed' }] });
  });

  test('keeps a name that is a script as text', async () => {
    const script = '<testsuite><testcase name="&lt;script&gt;alert(1)&lt;/script&gt;"/></testsuite>';
    expect(await report('junit', script)).toMatchObject({ tests: [{ name: '<script>alert(1)</script>' }] });
  });

  const BOMB = `<!DOCTYPE a [<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}]><testsuite><testcase name="&l9;"/></testsuite>`;

  test.each([
    ['a DTD', '<!DOCTYPE testsuite SYSTEM "http://127.0.0.1:1/a.dtd"><testsuite/>', 'document type declaration'],
    ['entities that grow (billion laughs)', BOMB, 'document type declaration'],
    [
      'an entity that names a file (XXE)',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>',
      'document type declaration',
    ],
    ['an entity without a DTD', '<testsuite><testcase name="&x;"/></testsuite>', 'undefined entity'],
    ['a truncated file', JUNIT.slice(0, 400), 'not well-formed XML, or ends too early'],
    ['an empty file', '', 'not well-formed XML, or ends too early'],
    ['a control character', '<testsuite><testcase name="a\u0001"/></testsuite>', 'not well-formed XML'],
    [
      'a control character as a reference',
      '<testsuite><testcase name="a&#x1b;[2J"/></testsuite>',
      'not well-formed XML',
    ],
    ['a control character in XML 1.1', '<?xml version="1.1"?><testsuite><testcase name="a&#x1b;"/></testsuite>', 'XML'],
    ['a direction mark', '<testsuite><testcase name="a\u202eb"/></testsuite>', 'invisible character'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite/>', 'encoding is ISO-8859-1'],
    [
      'bytes of another encoding',
      Buffer.from('<testsuite><testcase name="\u00e4"/></testsuite>', 'latin1'),
      'not UTF-8',
    ],
    ['UTF-16', Buffer.from('\ufeff<testsuite/>', 'utf16le'), 'not UTF-8'],
    ['another root', '<html><body/></html>', 'root is html'],
    ['a test case without a name', '<testsuite><testcase/></testsuite>', 'has no name'],
    [
      'a test case in another',
      '<testsuite><testcase name="a"><testcase name="b"/></testcase></testsuite>',
      'contains a',
    ],
    ['a count that is no number', '<testsuite failures="many"><testcase name="a"/></testsuite>', 'failures is many'],
    ['JSON', '{"results":{}}', 'not well-formed XML'],
  ])('is refused with %s', async (_what, content, reason) => {
    await expect(report('junit', content)).rejects.toMatchObject(refused(reason));
  });
});

const ctrf = (tests: readonly object[], summary: object = {}) =>
  JSON.stringify({ results: { tool: { name: 'x' }, summary: { tests: tests.length, failed: 0, ...summary }, tests } });

describe('a CTRF report', () => {
  test('gives each test with its suites; what is pending or other counts as skipped', async () => {
    const tests = [
      { name: 'books once', status: 'passed', duration: 3, suite: ['captures', 'retry'] },
      { name: 'a', status: 'failed', suite: 'captures' },
      { name: 'b', status: 'pending' },
      { name: 'c', status: 'other' },
    ];
    expect(await report('ctrf', ctrf(tests, { failed: 3 }))).toMatchObject({
      tests: [
        { name: 'books once', suite: 'captures > retry', status: 'passed' },
        { name: 'a', suite: 'captures', status: 'failed' },
        { name: 'b', status: 'skipped' },
        { name: 'c', status: 'skipped' },
      ],
      otherFailures: 2,
    });
  });

  test.each([
    ['a truncated file', ctrf([{ name: 'a', status: 'passed' }]).slice(0, -5), 'ends too early'],
    [
      'fewer tests than its summary counts',
      ctrf([{ name: 'a', status: 'passed' }], { tests: 2 }),
      'counts 2 tests, and it lists 1',
    ],
    [
      'a suite that is a list of other things',
      ctrf([{ name: 'a', status: 'passed', suite: [1] }]),
      'results.tests.0.suite',
    ],
    ['an unknown status', ctrf([{ name: 'a', status: 'green' }]), 'results.tests.0.status'],
    ['a control character', ctrf([{ name: 'a\u001b[2J', status: 'passed' }]), 'control character'],
    ['a lone surrogate', ctrf([{ name: 'a\ud800', status: 'passed' }]), 'control character'],
    ['another JSON document', '[]', 'no CTRF report'],
    ['bytes of another encoding', Buffer.from(ctrf([{ name: '\u00e4', status: 'passed' }]), 'latin1'), 'not UTF-8'],
  ])('is refused with %s', async (_what, content, reason) => {
    await expect(report('ctrf', content)).rejects.toMatchObject(refused(reason));
  });
});

describe('a TAP report', () => {
  test('gives the points of subtests with the names around them, and counts what is to do as skipped', async () => {
    const tap = `TAP version 13
# Subtest: captures
    ok 1 - books once
      ---
      duration_ms: 1
      ...
    ok 2 - later # SKIP no ledger
    1..2
ok 1 - captures
not ok 2 - todo # TODO not yet
not ok 3 - fails
1..3
`;
    expect(await report('tap', tap)).toMatchObject({
      tests: [
        { name: 'books once', suite: 'captures', status: 'passed' },
        { name: 'later', suite: 'captures', status: 'skipped' },
        { name: 'todo', status: 'skipped' },
        { name: 'fails', status: 'failed' },
      ],
      otherFailures: 0,
    });
  });

  test('reads what node --test prints', async () => {
    const folder = await newFolder();
    await writeFile(
      join(folder, 'a.test.mjs'),
      "import { describe, test } from 'node:test';\ndescribe('captures', () => { test('books once', () => {}); test.skip('later'); });\n",
    );
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const tap = execFileSync(process.execPath, ['--test', '--test-reporter=tap', 'a.test.mjs'], { cwd: folder, env });
    expect((await report('tap', tap)).tests).toEqual([
      expect.objectContaining({ name: 'books once', status: 'passed' }),
      expect.objectContaining({ name: 'later', status: 'skipped' }),
    ]);
  });

  test('lets other lines follow the plan', async () => {
    expect(await report('tap', 'ok 1 - a\n1..1\n# tests 1\nokay, done: 1\n')).toMatchObject({
      tests: [{ name: 'a', status: 'passed' }],
      otherFailures: 0,
    });
  });

  test('counts a bail out as a failure', async () => {
    expect(await report('tap', '1..3\nok 1 - a\nBail out! no ledger\n')).toMatchObject({
      tests: [{ name: 'a', status: 'passed' }],
      otherFailures: 1,
    });
  });

  test.each([
    ['a truncated file', 'TAP version 13\n1..5\nok 1 - a\n', 'incorrect number of tests'],
    ['a file without a plan', 'TAP version 13\nok 1 - a\n', 'no plan'],
    ['no test point', 'hello\n', 'no test point'],
    ['a failure after the plan', 'ok 1 - a\n1..1\nnot ok 2 - b\n', 'follows the plan'],
    ['a test after the plan', 'ok 1 - a\n1..1\nok 2 - b\n', 'follows the plan'],
    ['a second plan', 'ok 1 - a\n1..1\n1..2\n', 'follows the plan'],
    [
      'a failure after the plan of a subtest',
      '# Subtest: s\n    ok 1 - a\n    1..1\n    not ok 2 - b\nok 1 - s\n1..1\n',
      'follows the plan',
    ],
    [
      'a whole second report',
      'TAP version 13\nok 1 - a\n1..1\nTAP version 13\nnot ok 1 - b\n1..1\n',
      'follows the plan',
    ],
    ['a line of five million blanks', ' '.repeat(5_000_000), 'a line that is too long'],
    [
      'subtests in subtests, a thousand deep',
      Array.from({ length: 1_000 }, (_, level) => `${' '.repeat(4 * level)}# Subtest: s\n`).join(''),
      'nested more than 50 deep',
    ],
    ['a bail out after the plan', 'ok 1 - a\n1..1\nBail out! no ledger\n', 'follows the plan'],
    ['a control character', '1..1\nok 1 - a\u001b[2J\n', 'control character'],
    ['bytes of another encoding', Buffer.from('1..1\nok 1 - \u00e4\n', 'latin1'), 'not UTF-8'],
  ])('is refused with %s', async (_what, content, reason) => {
    await expect(report('tap', content)).rejects.toMatchObject(refused(reason));
  });
});

describe('a report of any format', () => {
  const cases = (count: number) => '<testcase name="a"/>'.repeat(count);
  const points = (count: number) =>
    `1..${count}\n${Array.from({ length: count }, (_, at) => `ok ${at + 1} - a\n`).join('')}`;

  test.each<[ReportFormat, string]>([
    ['junit', `<testsuite>${cases(100_000)}</testsuite>`],
    ['ctrf', ctrf(Array.from({ length: 100_000 }, () => ({ name: 'a', status: 'passed' })))],
    ['tap', points(100_000)],
  ])('is refused with 100,000 tests: %s', async (format, content) => {
    await expect(report(format, content)).rejects.toMatchObject(refused('fewer than 100000'));
  });

  test('is read with 99,999 tests', async () => {
    expect((await report('junit', `<testsuite>${cases(99_999)}</testsuite>`)).tests).toHaveLength(99_999);
  });

  test('is refused with 50 MB', async () => {
    await expect(report('ctrf', Buffer.alloc(50_000_000, 0x20))).rejects.toMatchObject(
      refused('fewer than 50000000 bytes'),
    );
  });

  test('is refused if it is missing, a folder or a named pipe', async () => {
    const folder = await newFolder();
    await expect(readReport('junit', join(folder, 'report'))).rejects.toMatchObject(
      refused('has not written this file'),
    );
    execFileSync('mkdir', [join(folder, 'report')]);
    await expect(readReport('junit', join(folder, 'report'))).rejects.toMatchObject(refused('not a regular file'));
    execFileSync('rm', ['-r', join(folder, 'report')]);
    execFileSync('mkfifo', [join(folder, 'report')]);
    await expect(readReport('junit', join(folder, 'report'))).rejects.toMatchObject(refused('not a regular file'));
  });
});

test('the mark of a file changes when the file is written again, and is empty without a file', async () => {
  const path = join(await newFolder(), 'report');
  expect(await fileMark(path)).toBe('');
  await writeFile(path, 'a');
  const before = await fileMark(path);
  expect(await fileMark(path)).toBe(before);
  await writeFile(path, 'a');
  expect(await fileMark(path)).not.toBe(before);
});
