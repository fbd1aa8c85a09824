export { type Actor, type BotCall, runWithBots } from './bot.ts';
export { loadMission, MISSION_NAMES, type MissionName, readMission } from './load.ts';
export { type Agent, type Builder, Mission, type Outcome, PARTS, type Part, type Step } from './mission.ts';
export { isModerated, withModerator } from './moderation.ts';
export { readOutcome } from './outcome.ts';
export { joinAgents, runMission, type StepResult } from './run-mission.ts';
export type { CallByName, CallTool, Invitation, JoinedAgents, Json, OwnerApi, Transport } from './transport.ts';
