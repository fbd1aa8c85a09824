import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../new-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../../../../examples/verify-hash/verify_certificate.py', import.meta.url));

export const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
if (!hasCryptography)
  console.warn('python3 with cryptography is not installed: the tests of verify_certificate.py are left out.');

/** Checks a certificate with `verify_certificate.py`, and returns its exit code. */
export async function checkByPython(certificate: string, keySet: unknown): Promise<number | null> {
  const folder = await newFolder();
  const files = [join(folder, 'cert.json'), join(folder, 'jwks.json')] as const;
  await writeFile(files[0], certificate);
  await writeFile(files[1], JSON.stringify(keySet));
  return spawnSync('python3', [SCRIPT, ...files]).status;
}

/** For each certificate of the arguments, with the keys of the file after it: the level, the message of a refusal, or the fault. */
const EACH = `
import contextlib, io, json, sys
from verify_certificate import main
files = sys.argv[1:]
for at in range(0, len(files), 2):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            main(files[at], files[at + 1])
        print(json.loads(printed.getvalue())["predicate"]["level"])
    except SystemExit as refusal:
        print(refusal)
    except BaseException as fault:
        print(repr(fault))
`;

/** What `verify_certificate.py` says of each pair of the files of a certificate and a key set, all in one process. */
export function saidByPython(files: readonly string[]): string[] {
  const env = {
    ...process.env,
    ...{ PYTHONPATH: dirname(SCRIPT), PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
  };
  const { stdout } = spawnSync('python3', ['-c', EACH, ...files], { encoding: 'utf8', env });
  return stdout.trimEnd().split('\n');
}
