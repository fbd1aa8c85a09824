import { DBOS } from '@dbos-inc/dbos-sdk';
import { loadInProcess, type Repeat } from '../in-process.ts';
import { makeTurn } from '../seats.ts';
import { answerEach } from './answer-each.ts';
import { options } from './tell-parent.ts';

let repeat: Repeat = async () => {};

/** Takes steps until the time of the load is over. A step is done when its result, a turn, is stored. */
const workflow = DBOS.registerWorkflow(() => repeat(() => DBOS.runStep(async () => makeTurn(), { name: 'turn' })), {
  name: 'turns',
});
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: String(options.database), logLevel: 'warn' });
await DBOS.launch();

/** Answers `/in-process/<seconds>` with the figures of a load with a workflow for each client. */
answerEach(async (request, response) => {
  const [, , seconds = ''] = (request.url ?? '').split('/');
  const figures = await loadInProcess(Number(seconds), (_, ofThisLoad) => {
    repeat = ofThisLoad;
    return workflow();
  });
  response.end(JSON.stringify(figures));
});
