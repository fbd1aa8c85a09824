import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Access,
  completeOperation,
  type Operation,
  type OperationSpec,
} from '../../../src/kernel/operation/operation.ts';
import { createRegistry } from '../../../src/kernel/operation/registry.ts';

type Rest = NonNullable<OperationSpec<unknown, string, unknown, unknown>['rest']>;

const BUILDER: Access = { builder: 'read_task' };
const MODERATOR: Access = { moderator: true };

const operation = (name: string, access: Access, rest?: Rest): Operation<unknown> =>
  completeOperation({
    name,
    summary: `${name}.`,
    access,
    ...(rest ? { rest } : {}),
    input: z.strictObject({}),
    output: z.unknown(),
    errors: [],
    reply: () => null,
  });

describe('refuses at start', () => {
  test.each([
    [
      'two builder tools of one name',
      [operation('a', BUILDER), operation('a', BUILDER)],
      'Two builder tools are named a.',
    ],
    [
      'two moderator tools of one name',
      [operation('a', MODERATOR), operation('a', { ...MODERATOR, ...BUILDER })],
      'Two moderator tools are named a.',
    ],
    [
      'two builder operations on one route',
      [operation('a', BUILDER, 'GET x'), operation('b', BUILDER, 'GET x')],
      'Two builder operations serve GET x.',
    ],
    [
      'a route of one role that another operation names for both',
      [operation('a', { ...BUILDER, ...MODERATOR }, 'POST x'), operation('b', MODERATOR, 'POST x')],
      'Two moderator operations serve POST x.',
    ],
    [
      'two open operations on one route',
      [operation('a', { anyone: true }, 'GET /x'), operation('b', { anyone: true }, 'GET /x')],
      'Two operations serve GET /x.',
    ],
  ])('%s', (_what, operations, message) => {
    expect(() => createRegistry(operations)).toThrow(message);
  });

  test('an older name that is taken', () => {
    const operations = [operation('a', BUILDER), operation('b', BUILDER)];
    expect(() => createRegistry(operations, { builder: { a: 'b' } })).toThrow(
      'The older name a of the tool b is already the name of a tool',
    );
  });
});

describe('allows', () => {
  test('one name and one route for two operations of different roles', () => {
    const forBuilder = operation('a', BUILDER, 'GET x');
    const forModerator = operation('a', MODERATOR, 'GET x');
    const registry = createRegistry([forBuilder, forModerator]);
    expect(registry.tool('agent_a', 'a')).toBe(forBuilder);
    expect(registry.tool('agent_b', 'a')).toBe(forBuilder);
    expect(registry.tool('moderator', 'a')).toBe(forModerator);
    expect(registry.routes.get('x')?.methods.get('GET')).toEqual({ builder: forBuilder, moderator: forModerator });
  });

  test('one path by two methods', () => {
    const registry = createRegistry([operation('a', BUILDER, 'GET x'), operation('b', BUILDER, 'POST x')]);
    expect(registry.allRoutes()).toEqual([
      { method: 'GET', path: '/sessions/:session_id/x' },
      { method: 'POST', path: '/sessions/:session_id/x' },
    ]);
  });

  test('one operation on a route for each role', () => {
    const both = operation('a', { ...BUILDER, ...MODERATOR }, { builder: 'GET x', moderator: 'GET y' });
    const registry = createRegistry([both]);
    expect(registry.routes.get('x')?.methods.get('GET')).toEqual({ builder: both });
    expect(registry.routes.get('y')?.methods.get('GET')).toEqual({ moderator: both });
  });

  test('an older name for an operation that does not exist', () => {
    expect(createRegistry([], { moderator: { old: 'new' } }).tool('moderator', 'old')).toBeUndefined();
  });
});

test('an older name is found but not listed, and only by its role', () => {
  const both = operation('new', { ...BUILDER, ...MODERATOR });
  const registry = createRegistry([both], { moderator: { old: 'new' } });
  expect(registry.tool('moderator', 'old')).toBe(both);
  expect(registry.tool('agent_a', 'old')).toBeUndefined();
  expect(registry.tools.moderator.map(({ name }) => name)).toEqual(['new']);
});

test.each(['constructor', '__proto__', 'toString', ''])('%j is neither a tool nor a route', (name) => {
  const registry = createRegistry([operation('a', BUILDER, 'GET x')]);
  expect(registry.tool('agent_a', name)).toBeUndefined();
  expect(registry.routes.get(name)).toBeUndefined();
});

test('operations of the owner and operations without a token are not tools', () => {
  const registry = createRegistry([operation('a', { owner: true }), operation('b', { anyone: true }, 'GET /b')]);
  expect(registry.tools).toEqual({ agent_a: [], agent_b: [], moderator: [] });
  expect(registry.tool('agent_a', 'b')).toBeUndefined();
  expect(registry.allRoutes()).toEqual([{ method: 'GET', path: '/b' }]);
});
