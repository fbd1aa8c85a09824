import type { Bench } from './bench.ts';
import { a2a } from './benches/a2a.ts';
import { cold } from './benches/cold.ts';
import { core } from './benches/core.ts';
import { embedded } from './benches/embedded.ts';
import { history } from './benches/history.ts';
import { inbox } from './benches/inbox.ts';
import { mcp } from './benches/mcp.ts';
import { polls } from './benches/polls.ts';
import { processes } from './benches/processes.ts';
import { read } from './benches/read.ts';
import { sessions } from './benches/sessions.ts';
import { wake } from './benches/wake.ts';
import { write } from './benches/write.ts';

/** All benches, in the order in which they run and are shown: those with peers, then those with only a floor. */
export const BENCHES: readonly Bench[] = [
  write,
  wake,
  polls,
  mcp,
  a2a,
  core,
  read,
  embedded,
  history,
  sessions,
  inbox,
  cold,
  processes,
];
