import { commandsAt } from '../commands.ts';
import { runApp, SESSION } from '../running-app.ts';

const agents = {
  agent_a: { name: 'Shop agent', repository: 'example/shop', service: 'shop' },
  agent_b: { name: 'Bank agent', repository: 'example/bank', service: 'bank' },
};

/**
 * Starts the app with a started session that both builders have joined. Returns functions that run `parley` and call
 * tools.
 */
async function openSpoken() {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession({ ...SESSION, agents });
  const join = async (role: 'agent_a' | 'agent_b') => {
    const { code } = await owner.invite(id, { role });
    return parley.agent((await parley.redeem({ code })).token);
  };
  const [shop, bank] = [await join('agent_a'), await join('agent_b')];
  await owner.start(id);
  const run = commandsAt(url);
  return { url, owner, id, shop, bank, run };
}

/** A session with two turns. The decision of the second turn supersedes the decision of the first turn. */
export async function openArgued() {
  const spoken = await openSpoken();
  await spoken.shop.call('post_turn', {
    summary: 'The shop keeps the refund key.',
    proposed_decisions: [{ topic: 'Key', position: 'The key is a UUID of the shop.' }],
    questions: [{ to: 'agent_b', text: 'How long does the bank keep a key?', blocking: false }],
  });
  await spoken.bank.call('post_turn', {
    summary: 'The bank keeps a key for a day.',
    answers: [{ question_id: 'q_1', answer: 'One day.' }],
    proposed_decisions: [{ topic: 'Key', position: 'The key is a UUID of the bank.' }],
  });
  return spoken;
}
