import { describe, expect, it } from 'vitest';
import { addressGroup, networkTest, parseAddress } from '../src/request-head.ts';

describe('parseAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7:5123 ', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('reads %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it.each(['', 'unknown', '_hidden', '192.0.2', '192.0.2.7.8', '192.0.2.7:x', '::ffff:', 'a'.repeat(9000)])(
    'refuses %.20s',
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );
});

describe('addressGroup', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts %s as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

describe('networkTest', () => {
  it('accepts single addresses and networks of both families', () => {
    const isOurs = networkTest(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
    expect(['127.0.0.1', '10.200.3.4', 'fd12::1'].map(isOurs)).toEqual([true, true, true]);
    expect(['127.0.0.2', '11.0.0.1', 'fe80::1'].map(isOurs)).toEqual([false, false, false]);
  });

  it.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', 'fd00::/129', '0.0.0.0/0x8'])(
    'names "%s" in its refusal',
    (entry) => {
      expect(() => networkTest(['127.0.0.1', entry])).toThrow(
        new TypeError(`"${entry}" is not an address or a network such as 10.0.0.0/8`),
      );
    },
  );
});
