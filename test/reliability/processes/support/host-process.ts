import { inject } from 'vitest';
import type { HostOptions } from '../host/host-options.ts';
import { forkHost, type HostProcess } from './fork-host.ts';

export type { HostProcess } from './fork-host.ts';

export const startHost = (options: HostOptions, flags: readonly string[] = []): Promise<HostProcess> =>
  forkHost(inject('hostProgram'), options, flags);
