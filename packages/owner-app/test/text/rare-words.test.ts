import { expect, test } from 'vitest';
import { rareWords } from '../../src/text/records/rare-words.ts';

const contract = {
  title: 'Capture',
  summary: 'The shop books once.',
  interfaces: [
    { id: 'if-order-page', text: 'The customer reads: in doubt.' },
    { id: 'if-a', text: 'A minute. The shop handles it.' },
    { id: 'if-b', text: 'The shop.' },
    { id: 'if-c', text: 'The shop.' },
  ],
};

test('the words of a request that are in few places of the contract come rarest first', () => {
  const request = 'Say in the contract what the customer of the shop reads within 15 minutes, and who sets it by hand.';
  expect(rareWords(request, contract)).toEqual([
    { word: 'sets', places: [] },
    { word: 'hand', places: [] },
    { word: 'customer', places: ['if-order-page'] },
    { word: 'reads', places: ['if-order-page'] },
    { word: 'minutes', places: ['if-a'] },
  ]);
});
