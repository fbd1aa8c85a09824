import { test } from 'vitest';
import { STORIES } from '../scenarios/support/stories.ts';
import { expectFrozen } from './support/frozen.ts';
import { earlierMoments, type Moment, playStory, slug, stockMoments } from './support/moments.ts';
import { plainReadsAt, printedAt, readsAt, refusalsAt, toolWritesAt, writesAt } from './support/sessions.ts';
import { openStage } from './support/stage.ts';

test('sessions in which everything has happened answer and print what is recorded', async () => {
  const stage = await openStage();
  const found: Record<string, object> = {};
  for (const moment of await stockMoments())
    found[moment.name] = {
      reads: await readsAt(stage, moment),
      writes: await writesAt(stage, moment),
      toolWrites: await toolWritesAt(stage, moment),
      ...(moment.name === 'moderated' ? await refusalsAt(stage, moment) : {}),
      commands: await printedAt(stage, moment),
    };
  await stage.close();
  await expectFrozen('stock', found);
});

test('stored logs of every earlier version answer what is recorded', async () => {
  const stage = await openStage();
  const stories = new Map<string, readonly Moment[]>();
  for (const story of STORIES) stories.set(slug(story), (await playStory(story)).moments);
  const found: Record<string, object> = {};
  for (const moment of await earlierMoments(stories)) found[moment.name] = await plainReadsAt(stage, moment);
  await stage.close();
  await expectFrozen('earlier-versions', found, 'compressed');
});
