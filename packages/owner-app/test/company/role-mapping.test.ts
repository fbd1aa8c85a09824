import { describe, expect, test } from 'vitest';
import { parseRoles, roleOf } from '../../src/server/company/role-mapping.ts';

describe('a mapping of roles', () => {
  const roles = parseRoles('parley-admins=approver, developers=operator ,cn=ops=operator,Team A=viewer,*=viewer');

  test.each([
    [['parley-admins'], 'approver'],
    [['developers', 'parley-admins'], 'approver'],
    [['parley-admins', 'Team A'], 'approver'],
    [['developers'], 'operator'],
    [['cn=ops'], 'operator'],
    [['Team A'], 'viewer'],
    [[], 'viewer'],
    [['constructor', '__proto__', ''], 'viewer'],
  ])('gives the groups %j the role %s', (groups, role) => {
    expect(roles && roleOf(roles, groups)).toBe(role);
  });

  test('gives no role to a group that it does not name', () => {
    const strict = parseRoles('developers=operator') ?? new Map();
    expect([roleOf(strict, ['Developers']), roleOf(strict, ['*']), roleOf(strict, [])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    '',
    'a',
    'a=',
    '=viewer',
    'a=owner',
    'a=Viewer',
    'a=viewer,',
    'a=viewer,a=operator',
    'a viewer',
    ' =viewer',
  ])('cannot be %j', (text) => {
    expect(parseRoles(text)).toBeUndefined();
  });
});
