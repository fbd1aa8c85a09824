import { loadMission, MISSION_NAMES, type Mission, type MissionName, withModerator } from '@parley/missions';

/**
 * Name of the mission payment-capture with a moderator. This story includes all steps of the mission without a
 * moderator.
 */
export const MODERATED = 'payment-capture, moderated';

export const STORIES = [...MISSION_NAMES, MODERATED] as const;

export type Story = MissionName | typeof MODERATED;

export const loadStory = async (name: Story): Promise<Mission> =>
  name === MODERATED ? withModerator(await loadMission('payment-capture')) : loadMission(name);
