import { test } from 'vitest';
import { MODERATED } from '../scenarios/support/stories.ts';
import { expectFrozen } from './support/frozen.ts';
import { playStory } from './support/moments.ts';
import { printedAt, readsAt, writesAt } from './support/sessions.ts';
import { openStage } from './support/stage.ts';

test('the mission with a moderator answers and prints in each phase what is recorded', async () => {
  const stage = await openStage();
  const { played, moments } = await playStory(MODERATED);
  const phases: Record<string, object> = {};
  for (const moment of moments)
    phases[moment.name] = {
      reads: await readsAt(stage, moment),
      writes: await writesAt(stage, moment),
      commands: await printedAt(stage, moment),
    };
  await stage.close();
  await expectFrozen('payment-capture-moderated', { played, ...phases });
});
