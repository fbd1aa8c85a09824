import { describe, expect, test } from 'vitest';
import { filenameFault } from '../../src/areas/validation/plan-rules.ts';

const HIDDEN = 'must not contain an invisible character';

describe('a filename', () => {
  test.each([
    'plan.txt',
    'a',
    'API v1.2 (draft).yaml',
    'grüße-日本.md',
    'console.log',
    'com10.txt',
    'null.json',
    'a..b',
    `${'n'.repeat(116)}.txt`,
  ])('may be %j', (name) => {
    expect(filenameFault(name)).toBeNull();
  });

  test.each([
    ['docs/plan.txt', 'must not name a folder'],
    ['..\\plan.txt', 'must not name a folder'],
    ['..', 'must not begin with a dot, a dash or a space'],
    ['.env', 'must not begin with a dot, a dash or a space'],
    ['-rf', 'must not begin with a dot, a dash or a space'],
    [' plan.txt', 'must not begin with a dot, a dash or a space'],
    ['plan.', 'must not end with a dot or a space'],
    ['plan.txt ', 'must not end with a dot or a space'],
    ['plan\n.txt', HIDDEN],
    ['plan\u0000.txt', HIDDEN],
    ['plan\u0085.txt', HIDDEN],
    ['plan\u200b.txt', HIDDEN],
    ['plan\u202etxt.exe', HIDDEN],
    ['plan\u2066.txt', HIDDEN],
    ['plan\ufeff.txt', HIDDEN],
    ['plan\u3164.txt', HIDDEN],
    ['plan\u2028.txt', HIDDEN],
    ['plan\u2800.txt', HIDDEN],
    ['plan\ue000.txt', HIDDEN],
    ['a:b.txt', 'must not contain any of < > : " | ? *'],
    ['what?.txt', 'must not contain any of < > : " | ? *'],
    ['CON', 'must not be a device name of Windows, such as CON'],
    ['nul.txt', 'must not be a device name of Windows, such as CON'],
    ['Com1.tar.gz', 'must not be a device name of Windows, such as CON'],
    ['lpt\u00b2', 'must not be a device name of Windows, such as CON'],
    ['aux .txt', 'must not be a device name of Windows, such as CON'],
    ['cafe\u0301.txt', 'must be in Unicode form NFC'],
    ['n'.repeat(121), 'must have at most 120 characters'],
    ['日'.repeat(86), 'must have at most 255 bytes in UTF-8'],
  ])('may not be %j', (name, fault) => {
    expect(filenameFault(name)).toBe(fault);
  });
});
