import { describe, expect, test } from 'vitest';
import * as AggregatorSwap from '../../../../src/core/proof/router/AggregatorSwap.js';
import * as Enforcers from '../../../../src/core/proof/router/Enforcers.js';
import { accounts } from '../../../../src/sandbox/values/devAccounts.js';
import { ask, chainAt, startNode } from '../../../support/node.js';
import * as calldata from '../../../support/routerCalldata.js';
import { compile, deploy } from '../../../support/solidity.js';

const registry = '0x00000000000004533Fe15556B1E086BB1A72cEae';

/** A registry with the published interface. */
const source = `
contract Registry {
  address private immutable current;
  address private immutable previous;

  constructor(address current_, address previous_) {
    current = current_;
    previous = previous_;
  }

  function ownerOf(uint256 tokenId) external view returns (address) {
    require(tokenId == 2 && current != address(0), 'paused');
    return current;
  }

  function prev(uint128 featureId) external view returns (address) {
    require(featureId == 2, 'unknown');
    return previous;
  }
}`;

const of = (byte: string): calldata.Address => `0x${byte.repeat(20)}`;
const [settler, older, counterfeit, router] = [of('5e'), of('5d'), of('66'), of('60')];
const swap = { from: of('70'), to: of('d0'), amount: 1_000n, minimum: 90n, receiver: router };

function via(target: calldata.Address): AggregatorSwap.Swap {
  const found = AggregatorSwap.from(calldata.viaZeroEx(swap, target), { router });
  if (!found) throw new Error('it is a swap');
  return found;
}

describe('read', () => {
  test('default: the Settlers that the registry on the chain names, with code', async () => {
    const rpcUrl = await startNode();
    const node = chainAt(rpcUrl);
    const endpoint = { id: 313371, rpcUrl };
    const read = () => Enforcers.read([settler, older, counterfeit].map(via), node);
    for (const address of [settler, older, counterfeit, calldata.allowanceHolder])
      await ask(rpcUrl, 'anvil_setCode', address, '0x00');
    expect(await read()).toEqual([]);

    const contract = compile(source);
    const place = async (...named: readonly calldata.Address[]): Promise<void> => {
      const at = await deploy(endpoint as never, accounts.dev0, contract, named);
      await ask(rpcUrl, 'anvil_setCode', registry, await ask(rpcUrl, 'eth_getCode', at, 'latest'));
    };
    await place(settler, older);
    expect((await read()).map((each) => each.toLowerCase())).toEqual([settler, older]);

    // While the feature is paused, the one before is none either.
    await place(of('00'), older);
    expect(await read()).toEqual([]);

    await place(settler, older);
    await ask(rpcUrl, 'anvil_setCode', settler, '0x');
    expect((await read()).map((each) => each.toLowerCase())).toEqual([older]);
    await ask(rpcUrl, 'anvil_setCode', calldata.allowanceHolder, '0x');
    expect(await read()).toEqual([]);
  });

  test('behavior: a shipped contract counts where there is code', async () => {
    const rpcUrl = await startNode();
    const found = AggregatorSwap.from(calldata.viaKyberSwap(swap), { router, kyberSwap: calldata.kyberSwap });
    const swaps = found ? [found] : [];
    expect(await Enforcers.read(swaps, chainAt(rpcUrl))).toEqual([]);
    await ask(rpcUrl, 'anvil_setCode', calldata.kyberSwap, '0x00');
    expect(await Enforcers.read(swaps, chainAt(rpcUrl))).toEqual([calldata.kyberSwap]);
  });

  test('error: a node that cannot be asked is no witness', async () => {
    expect(await Enforcers.read([via(settler)], chainAt('http://127.0.0.1:9'))).toEqual([]);
  });
});
