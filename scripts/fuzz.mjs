// `pnpm test:fuzz --requests 20000 --seed 7`: sends generated requests to the whole application.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';

const options = { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } };
const { requests, seed } = parseArgs({ options }).values;
const flags = { FUZZ_REQUESTS: requests, ...(seed === undefined ? {} : { FUZZ_SEED: seed }) };
const config = ['--config', 'vitest.hardening.config.ts', '--project', 'fuzz'];
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...config, '--disable-console-intercept'];
const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit', env: { ...process.env, ...flags } });
process.exitCode = status ?? 1;
