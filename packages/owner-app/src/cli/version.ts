import { readFileSync } from 'node:fs';
import { packageFile } from '../server/package-file.ts';
import { membersOf, textIn } from '../transcript/message.ts';

const manifest = membersOf(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')));

export const VERSION = textIn(manifest, 'version');

/** The name under which this program is published: of `packages/cli` in its bundle. */
export const PACKAGE_NAME = textIn(manifest, 'name');
