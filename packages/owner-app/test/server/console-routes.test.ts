import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConsole } from '../../src/server/console-routes.ts';
import { ask } from '../ask.ts';
import { runApp } from '../running-app.ts';

const PAGE = '<!doctype html><title>Parley</title><div id="app"></div>';
const JOIN_PAGE = '<!doctype html><title>Join</title>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(4_000))});`;

function built() {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  mkdirSync(join(folder, 'join/assets'), { recursive: true });
  writeFileSync(join(folder, 'join/join.html'), JOIN_PAGE);
  writeFileSync(join(folder, 'join/assets/join-b2.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-a1.js'), SCRIPT);
  writeFileSync(join(folder, 'notes.txt'), 'not served');
  return readConsole(folder);
}

describe('the built console', () => {
  test.each([
    '/owner/',
    '/owner/new',
    '/owner/people',
    '/owner/audit',
    '/owner/find?words=crop',
    '/owner/group?name=check%20out',
    '/owner/sessions',
    '/owner/sessions/0123456789abcdefABCDEF',
    '/owner/sessions/0123456789abcdefABCDEF/contract',
    '/owner/sessions/0123456789abcdefABCDEF/q_7',
    '/owner/sessions/0123456789abcdefABCDEF/r_5?against=r_3',
    '/owner/sessions/0123456789abcdefABCDEF/12',
  ])('is the same document at %s', async (path) => {
    const { url } = await runApp({ consoleFiles: built() });
    const { status, text, headers } = await ask(url, path);
    expect({ status, text }).toEqual({ status: 200, text: PAGE });
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  });

  test.each([
    '/owner/nothing',
    '/owner/notes.txt',
    '/owner/../package.json',
    '/owner/sessions/a/b/c',
    '/owner/sessions/a/q_',
    '/owner/sessions/a/q_7.js',
  ])('is not at %s', async (path) => {
    const { url } = await runApp({ consoleFiles: built() });
    expect((await ask(url, path)).status).toBe(404);
  });

  test('is what a browser shows at an address without a page, with status 404', async () => {
    const { url } = await runApp({ consoleFiles: built() });
    for (const path of ['/owner/nothing', '/owner/sessions/a/b/c']) {
      const { status, text, headers } = await ask(url, path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
      expect({ status, text, type: headers.get('content-type') }).toEqual({
        status: 404,
        text: PAGE,
        type: 'text/html; charset=utf-8',
      });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    }
    const { status, text } = await ask(url, '/owner/api/nothing', { headers: { Accept: 'text/html' } });
    expect({ status, isPage: text === PAGE }).toEqual({ status: 401, isPage: false });
  });

  test('has a page for invitations, the same for everybody, with the headers of the console', async () => {
    const { url } = await runApp({ consoleFiles: built() });
    const page = await ask(url, '/join');
    const own = await ask(url, '/owner/');
    expect({ status: page.status, text: page.text }).toEqual({ status: 200, text: JOIN_PAGE });
    for (const name of [
      ...['content-security-policy', 'referrer-policy', 'x-content-type-options', 'cross-origin-opener-policy'],
      ...['cross-origin-resource-policy', 'permissions-policy', 'cache-control'],
    ])
      expect([name, page.headers.get(name)]).toEqual([name, own.headers.get(name)]);
    // Not below /owner/, where a proxy may demand a sign-in.
    const script = await ask(url, '/join/assets/join-b2.js');
    expect([script.text, script.headers.get('cache-control')]).toEqual([SCRIPT, 'public, max-age=31536000, immutable']);
    expect((await ask(url, '/join', { body: {} })).status).toBe(404);
    expect((await ask(url, '/join/pinv_x')).status).toBe(404);
  });

  test('has files that never change, packed as the browser takes them', async () => {
    const { url } = await runApp({ consoleFiles: built() });
    const address = new URL('/owner/assets/index-a1.js', url);
    const plain = await fetch(address, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await plain.text()).toBe(SCRIPT);
    const files = built();
    const file = files.get('assets/index-a1.js');
    expect(gunzipSync(file?.gzip ?? '').toString()).toBe(SCRIPT);
    expect(brotliDecompressSync(file?.brotli ?? '').toString()).toBe(SCRIPT);
    expect(file?.brotli.length).toBeLessThan(100);
  });

  test('answers 304 to a browser that has the document', async () => {
    const { url } = await runApp({ consoleFiles: built() });
    const { headers } = await ask(url, '/owner/');
    expect(await statusFor(new URL('/owner/', url), headers.get('etag') ?? '')).toBe(304);
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{27}"$/);
    expect(await statusFor(new URL('/owner/', url), 'W/"another"')).toBe(200);
  });
});

/**
 * Sends a request with `If-None-Match`, as a browser does. Does not use `fetch`, which adds headers that forbid cached
 * answers.
 */
const statusFor = (address: URL, etag: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { 'If-None-Match': etag } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
