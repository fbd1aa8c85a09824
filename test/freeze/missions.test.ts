import { MISSION_NAMES } from '@parley/missions';
import { test } from 'vitest';
import { expectFrozen } from './support/frozen.ts';
import { playStory } from './support/moments.ts';
import { printedAt, readsAt, writesAt } from './support/sessions.ts';
import { openStage } from './support/stage.ts';

test.each(MISSION_NAMES)(
  'the mission %s answers in each phase and prints at its end what is recorded',
  async (name) => {
    const stage = await openStage();
    const { played, moments } = await playStory(name);
    const phases: Record<string, object> = {};
    for (const moment of moments) phases[moment.name] = await readsAt(stage, moment);
    const [end] = moments.slice(-1);
    const ended = end && { writes: await writesAt(stage, end), commands: await printedAt(stage, end) };
    await stage.close();
    await expectFrozen(name, { played, ...phases, ...ended });
  },
);
