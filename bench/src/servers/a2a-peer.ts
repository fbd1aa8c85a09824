import { A2A_PROTOCOL_VERSION, type AgentCard, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler } from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { answerParent, options, tellParent, urlOf } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

/**
 * Stores each message as a finished task. This produces only one event, so the SDK reads and writes once for each
 * message.
 */
const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }, events) {
    const task: Task = {
      id: taskId,
      contextId,
      status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: new Date().toISOString() },
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    events.publish(AgentEvent.task(task));
  },
  cancelTask: async () => undefined,
};

const card: AgentCard = {
  name: 'Keeper',
  description: 'Stores each message.',
  supportedInterfaces: [
    { url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: A2A_PROTOCOL_VERSION },
  ],
  provider: undefined,
  version: '1.0.0',
  capabilities: { streaming: false, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  documentationUrl: '',
  signatures: [],
};

const pool = new pg.Pool({ connectionString: String(options.database), max: 10 });
const store = new DatabaseTaskStore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
const requestHandler = new DefaultRequestHandler(card, store, executor);
const app = express();
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
answerParent(watchProcess());
const server = app.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
