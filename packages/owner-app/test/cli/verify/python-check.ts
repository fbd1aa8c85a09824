import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../new-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../../../../examples/verify-hash/verify_certificate.py', import.meta.url));

export const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
if (!hasCryptography)
  console.warn('python3 with cryptography is not installed: the tests of verify_certificate.py are left out.');

/** Checks a certificate with `verify_certificate.py`. */
export async function checkByPython(certificate: string, keySet: unknown) {
  const folder = await newFolder();
  const files = [join(folder, 'cert.json'), join(folder, 'jwks.json')] as const;
  await writeFile(files[0], certificate);
  await writeFile(files[1], JSON.stringify(keySet));
  const { status, stdout, stderr } = spawnSync('python3', [SCRIPT, ...files], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  return { status, stdout, stderr: stderr.trimEnd() };
}
