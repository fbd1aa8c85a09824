import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where the packages of Debian put the program and the module. */
export const NGINX = '/usr/sbin/nginx';
export const NCHAN_MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';

export const hasNchan = (): boolean => existsSync(NGINX) && existsSync(NCHAN_MODULE);

/** The packages of nchan and nginx with their versions, or nothing if nchan is not installed. */
export function nchanVersions(): string[] {
  if (!hasNchan()) return [];
  const said = execFileSync('dpkg-query', ['--show', 'libnginx-mod-nchan', 'nginx'], { encoding: 'utf8' });
  return said.trim().replaceAll('\t', ' ').split('\n');
}
