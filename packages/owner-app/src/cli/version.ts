import { readFileSync } from 'node:fs';
import { packageFile } from '../server/package-file.ts';
import { readAs } from '../text/read-as.ts';

const file: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
const manifest = readAs(file, { version: 'text', name: 'text' });

export const VERSION = manifest.version;

/** The name under which this program is published: of `packages/cli` in its bundle. */
export const PACKAGE_NAME = manifest.name;
