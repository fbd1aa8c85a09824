import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isProgram } from './servers/is-program.ts';

const run = promisify(execFile);

export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PACKAGE = '@sparticuz/chromium';
const VERSION = '147.0.0';
/** SHA-256 of the compressed browser in version `VERSION` of the npm package `PACKAGE`. */
const SHA256 = '64d813a054f76fc32b8010e305d87e6d7a45aa76ee02d36e66c03c8ca6667e8d';
const CACHE = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url));
const FOLDER = join(CACHE, VERSION);

const HOW_TO = `The browser tests need a Chromium. Any of these helps:
  - install Chromium or Google Chrome, so that one of these is on your PATH: ${NAMES.join(', ')}
  - set PARLEY_CHROMIUM to the program of a Chromium, Chrome or chrome-headless-shell`;

/**
 * Finds a Chromium: the program that PARLEY_CHROMIUM names, otherwise a program on the PATH, otherwise a copy in
 * `node_modules/.cache`. If there is no copy, installs one from npm on 64-bit Linux; package.json and lockfile stay
 * unchanged.
 *
 * @throws Error whose message describes how to get a Chromium
 */
export async function findChromium(say: (text: string) => void): Promise<Chromium> {
  const given = process.env.PARLEY_CHROMIUM;
  if (given) {
    if (!isProgram(given)) throw new Error(`PARLEY_CHROMIUM is ${given}, which is not an executable file.\n${HOW_TO}`);
    return { executablePath: given, env: {} };
  }
  const onPath = NAMES.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
  const found = onPath.find(isProgram);
  if (found) return { executablePath: found, env: {} };
  if (!existsSync(FOLDER)) await install(say);
  return { executablePath: join(FOLDER, 'chromium'), env: await environment() };
}

async function install(say: (text: string) => void): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `No Chromium was found, and none can be installed automatically for ${process.platform} on ${process.arch}.\n${HOW_TO}`,
    );
  say(`No Chromium found: installing ${PACKAGE}@${VERSION} into node_modules/.cache/chromium (70 MB, once).`);
  const work = join(CACHE, `.new-${process.pid}`);
  try {
    mkdirSync(join(work, 'unpacked'), { recursive: true });
    writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
    const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', '--prefix', work, ...quiet, `${PACKAGE}@${VERSION}`], { cwd: work });
    await unpack(join(work, 'node_modules', PACKAGE), join(work, 'unpacked'));
    // If another process has installed a copy meanwhile, keeps the copy of that process.
    if (!existsSync(FOLDER)) renameSync(join(work, 'unpacked'), FOLDER);
  } catch (error) {
    throw new Error(`Chromium could not be installed.\n${HOW_TO}`, { cause: error });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Unpacks the browser from the npm package in `source` into `folder`, with the code of that package. The code unpacks
 * into TMPDIR, and unpacks libraries only if CODEBUILD_BUILD_IMAGE is set as on AWS.
 */
async function unpack(source: string, folder: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(source, 'bin/chromium.br')), hash);
  const found = hash.digest('hex');
  if (found !== SHA256)
    throw new Error(
      `${PACKAGE}@${VERSION} contains a browser with the checksum ${found}, which is not the expected one.`,
    );
  const entry = pathToFileURL(join(source, 'build/esm/index.js')).href;
  const program = `await (await import(${JSON.stringify(entry)})).default.executablePath()`;
  const env = { ...process.env, TMPDIR: folder, CODEBUILD_BUILD_IMAGE: 'nodejs20' };
  await run(process.execPath, ['--input-type=module', '--eval', program], { env });
  writeFileSync(join(folder, 'fonts', 'own.conf'), fontsIn(join(folder.replace(/\.new-\d+.*$/, VERSION), 'fonts')));
}

const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
</fontconfig>
`;

/**
 * Returns environment variables for the installed copy of Chromium. If the machine lacks fonts or libraries, the
 * variables name the fonts or libraries that were installed with the copy.
 */
async function environment(): Promise<Record<string, string>> {
  const { stdout } = await run('ldd', [join(FOLDER, 'chromium')]).catch(() => ({ stdout: 'not found' }));
  return {
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(FOLDER, 'fonts', 'own.conf') }),
    ...(stdout.includes('not found') ? { LD_LIBRARY_PATH: join(FOLDER, 'al2023', 'lib') } : {}),
  };
}
