/** Pauses a chain's mining while a fault needs its pool or its blocks unchanged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedMutex } from '../chain/keyedMutex.js';
import * as nodeRpc from '../chain/nodeRpc.js';

export type Mining = {
  /** Stops mining until every holder has resumed it. Resuming twice counts once. */
  pause(): Promise<ResumeMining>;
};

export type ResumeMining = () => Promise<void>;

export function createMining(rpcUrl: string): Mining {
  let pauses = 0;
  /** Automine before the first pause: the user may have turned it off. */
  let hadAutomine = true;
  const inTurn = createKeyedMutex();

  async function stop(): Promise<void> {
    hadAutomine = (await nodeRpc.call(rpcUrl, 'anvil_getAutomine')) === true;
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    // A block already being built is still mined.
    for (let last: unknown, height: unknown = ''; last !== height; ) {
      last = height;
      await sleep(settleMs);
      height = await nodeRpc.call(rpcUrl, 'eth_blockNumber');
    }
  }

  return {
    async pause() {
      await inTurn(rpcUrl, async () => {
        if (pauses === 0) await stop();
        pauses += 1;
      });
      let isPaused = true;
      return () =>
        inTurn(rpcUrl, async () => {
          if (!isPaused) return;
          isPaused = false;
          pauses -= 1;
          if (pauses === 0 && hadAutomine) await nodeRpc.call(rpcUrl, 'evm_setAutomine', true);
        });
    },
  };
}

const settleMs = 10;
