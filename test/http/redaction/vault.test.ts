import { expect, test } from 'vitest';
import { createVault } from './support/vault.ts';

const SESSION = 'D3e5eIlTYuLxVzsnUbCDW5';
const TOKEN = `prt_eeGxX516ag2Fu1y7d4chtDmOeG1Dd2aSmNcPBsPSrcn${SESSION}wRBiSq`;

const vault = createVault();
vault.keep(TOKEN, SESSION);

test.each([
  ['whole', TOKEN],
  ['in an address', `/mcp/${TOKEN}?x`],
  ['escaped', encodeURIComponent(`%70${TOKEN.slice(1)}`)],
  ['cut at its end', TOKEN.slice(0, 40)],
  ['cut at its beginning', TOKEN.slice(20)],
  ['in base64', Buffer.from(TOKEN).toString('base64')],
  ['in hexadecimal', Buffer.from(TOKEN).toString('hex')],
])('a secret is found %s', (_, text) => {
  expect(vault.findIn(`before ${text} after`)).not.toEqual([]);
  expect(vault.findIn(Buffer.from(`before ${text} after`))).not.toEqual([]);
});

test.each([SESSION, TOKEN.slice(0, 10), 'prt_'])('what anybody may know is none: %s', (text) => {
  expect(vault.findIn(`before ${text} after`)).toEqual([]);
});
