import { type Clock, createParley, type Owner, type Parley } from '@parley/core';
import type { Seat } from '@parley/core/client';
import {
  type Agent,
  type Builder,
  type CallTool,
  type JoinedAgents,
  joinAgents,
  type Mission,
  runMission,
  type StepResult,
  type Transport,
} from '@parley/missions';
import { afterAll, expect } from 'vitest';
import { type Door, type DoorKind, openDoor } from './doors.ts';
import { SHARED_STORE, STORES, type Store, type StoreKind, type StoreListing } from './stores.ts';

/** A Parley on a storage, and the transport that its agents use. */
export interface World {
  readonly parley: Parley;
  readonly owner: Owner;
  readonly door: Door;
  close(): Promise<void>;
}

const OWNER_ID = 'scenario-team';
/** Allows many redemptions per IP address, because all agents of a test file have the same address. */
const LIMITS = { redeemPerAddress: 1_000 };

export async function openWorld(store: Store, doorKind: DoorKind, clock?: Clock): Promise<World> {
  const storage = await store.connect();
  const parley = await createParley({ storage, limits: LIMITS, ...(clock && { clock }) });
  const door = await openDoor(doorKind, parley);
  return {
    parley,
    owner: parley.owner(OWNER_ID),
    door,
    async close() {
      await door.close();
      await parley.close();
      await storage.close();
    },
  };
}

export interface SeatedCast extends JoinedAgents {
  /** Session and token of each builder, with which the builder can continue after a restart. */
  readonly passes: Readonly<Record<Builder, Seat>>;
}

/** Returns the function that calls tools as the moderator of a mission. Fails if no moderator was invited. */
export function moderatorOf({ moderator }: JoinedAgents): CallTool {
  if (!moderator) throw new Error('No moderator was invited.');
  return moderator;
}

/** Plays a mission. Returns its agents, and the session id and token of each builder. */
export const playIn = (
  world: World,
  mission: Mission,
  onStep?: (played: StepResult) => void | Promise<void>,
): Promise<SeatedCast> => seat(world, (stage) => runMission(mission, stage, onStep));

const SESSION: Mission['session'] = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  guardrails: ['No change to the public address.'],
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
  round_limit: 100,
  first_turn: 'agent_a',
  fixture_version: 'catalogue-1',
  agents: {
    agent_a: { name: 'Web agent', repository: 'acme/web', service: 'web' },
    agent_b: { name: 'Catalogue agent', repository: 'acme/catalogue', service: 'catalogue' },
  },
};

/** Two builders at the start of a session. agent_a has the first turn. */
export const gatherIn = (world: World): Promise<SeatedCast> => seat(world, (stage) => joinAgents(SESSION, stage));

async function seat({ owner, door }: World, play: (stage: Transport) => Promise<JoinedAgents>): Promise<SeatedCast> {
  const passes = new Map<Agent, Seat>();
  const cast = await play({
    owner,
    async agents({ role, code }) {
      const pass = await door.redeem(code);
      passes.set(role, pass);
      return door.enter(pass);
    },
  });
  return { ...cast, passes: { agent_a: passOf(passes, 'agent_a'), agent_b: passOf(passes, 'agent_b') } };
}

function passOf(passes: ReadonlyMap<Agent, Seat>, role: Builder): Seat {
  const pass = passes.get(role);
  if (!pass) throw new Error(`${role} never joined.`);
  return pass;
}

export interface Place {
  readonly store: StoreKind;
  readonly door: DoorKind;
  /** Opens a world on the storage, which all worlds of a test file share. */
  readonly open: (clock?: Clock) => Promise<World>;
}

function placeOf(door: DoorKind, { name, open }: StoreListing): Place {
  let store: Promise<Store> | undefined;
  const shared = (): Promise<Store> => (store ??= open());
  afterAll(async () => (await store)?.remove());
  return { store: name, door, open: async (clock) => openWorld(await shared(), door, clock) };
}

/**
 * REST and MCP, each on another database. Other pairs would detect nothing more, because transports and storages share no
 * code.
 */
export const overTheWire = (): readonly Place[] =>
  (['REST', 'MCP'] as const).map((door, index) =>
    placeOf(door, STORES[(index + 1) % STORES.length] ?? expect.unreachable()),
  );

/** The place of tests whose fact depends neither on the transport nor on the storage. */
export const overMcp = (): Place => placeOf('MCP', SHARED_STORE);
