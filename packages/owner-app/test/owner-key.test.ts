import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openOwnerKey, readKeyFile } from '../src/access/key-folder.ts';
import { OTHER_KEY } from './running-app.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-owner-key-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('the owner key', () => {
  test('is made on the first start and written for its user alone', async () => {
    const folder = await newFolder();
    const { made } = await openOwnerKey(folder);
    expect(made).toMatch(/^pok_[A-Za-z0-9_-]{43}$/);
    expect(await readFile(join(folder, 'owner-key'), 'utf8')).toBe(`${made}\n`);
    expect(await readKeyFile(folder)).toBe(made);
    expect(await modeOf(join(folder, 'owner-key'))).toBe(0o600);
    expect(await modeOf(join(folder, 'owner-key.json'))).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o700);
  });

  test('rests only as a hash beside the file that its user may delete', async () => {
    const folder = await newFolder();
    const { made = '' } = await openOwnerKey(folder);
    const stored = await readFile(join(folder, 'owner-key.json'), 'utf8');
    expect(stored).not.toContain(made.slice(4, 20));
    await rm(join(folder, 'owner-key'));
    const again = await openOwnerKey(folder);
    expect(again.made).toBeUndefined();
    expect(await again.check.verify(made)).toBe(true);
  });

  test('is checked by scrypt until it was seen, then by its digest', async () => {
    const folder = await newFolder();
    const { made = '' } = await openOwnerKey(folder);
    const { check } = await openOwnerKey(folder);
    expect(check.known(made)).toBeUndefined();
    expect(check.known(OTHER_KEY)).toBeUndefined();
    expect(await Promise.all([check.verify(OTHER_KEY), check.verify(made), check.verify(OTHER_KEY)])).toEqual([
      false,
      true,
      false,
    ]);
    expect(check.known(made)).toBe(true);
    expect(check.known(OTHER_KEY)).toBe(false);
  });

  test('keeps sign-ins valid over a restart', async () => {
    const folder = await newFolder();
    const first = await openOwnerKey(folder);
    expect((await openOwnerKey(folder)).cookieSecret).toEqual(Buffer.from(first.cookieSecret));
    expect((await openOwnerKey(folder, OTHER_KEY)).cookieSecret).toEqual(
      (await openOwnerKey(folder, OTHER_KEY)).cookieSecret,
    );
  });

  test('can be given, and then nothing is written', async () => {
    const folder = await newFolder();
    const { check, made } = await openOwnerKey(folder, OTHER_KEY);
    expect(made).toBeUndefined();
    expect(check.known(OTHER_KEY)).toBe(true);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  test('in a damaged file stops the start and says what to do', async () => {
    const folder = await newFolder();
    await openOwnerKey(folder);
    await writeFile(join(folder, 'owner-key.json'), '{"salt":');
    await expect(openOwnerKey(folder)).rejects.toThrow(/owner-key.json is damaged; delete it/);
  });
});
