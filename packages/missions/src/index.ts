export { type Actor, type BotCall, playFreely } from './bot.ts';
export type { AgentFace, Cast, Invitation, Json, OwnerFace, Stage } from './face.ts';
export { loadMission, MISSION_NAMES, type MissionName, readMission } from './load.ts';
export { type Agent, type Builder, Mission, type Outcome, PARTS, type Part, type Step } from './mission.ts';
export { isModerated, withModerator } from './moderation.ts';
export { readOutcome } from './outcome.ts';
export { gatherAgents, type Played, playMission } from './play.ts';
