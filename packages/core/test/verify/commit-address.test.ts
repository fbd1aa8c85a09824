import { describe, expect, test } from 'vitest';
import { commitAddress } from '../../src/areas/verify/defects.ts';

describe('the address of a commit', () => {
  test.each([
    ['https://github.com/acme/catalog', 'https://github.com/acme/catalog/commit/f2c7e91'],
    ['https://github.com/acme/catalog.git', 'https://github.com/acme/catalog/commit/f2c7e91'],
    ['https://someone@GitHub.com/acme/catalog/', 'https://github.com/acme/catalog/commit/f2c7e91'],
    ['git@github.com:acme/catalog.git', 'https://github.com/acme/catalog/commit/f2c7e91'],
    ['ssh://git@github.com:22/acme/catalog.git', 'https://github.com/acme/catalog/commit/f2c7e91'],
    ['https://gitlab.com/group/sub/shelf', 'https://gitlab.com/group/sub/shelf/-/commit/f2c7e91'],
    ['git@bitbucket.org:acme/shelf.git', 'https://bitbucket.org/acme/shelf/commits/f2c7e91'],
    ['https://git.sr.ht/~acme/shelf', 'https://git.sr.ht/~acme/shelf/commit/f2c7e91'],
  ])('of %s is known', (repository, address) => {
    expect(commitAddress(repository, 'f2c7e91')).toBe(address);
  });

  test.each([
    'catalog-service',
    'acme/catalog',
    'http://github.com/acme/catalog',
    'javascript:alert(1)//github.com/acme/catalog',
    'https://github.com/acme',
    'https://github.com/../catalog',
    'https://github.com/acme/catalog?tab="><script>',
    'https://github.com.evil.example/acme/catalog',
    'https://constructor/acme/catalog',
    'git@git.example.org:acme/catalog.git',
    '',
  ])('of %j is unknown', (repository) => {
    expect(commitAddress(repository, 'f2c7e91')).toBeNull();
  });
});
