/** Pauses a chain's mining while a fault needs its pool or its blocks unchanged. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as nodeRpc from '../chain/nodeRpc.js';

export type Mining = {
  /** Stops mining until every holder has resumed it. Resuming twice counts once. */
  hold(): Promise<LetGo>;
};

export type LetGo = () => Promise<void>;

export function createMining(rpcUrl: string): Mining {
  let holders = 0;
  /** Automine before the first pause: the user may have turned it off. */
  let wasOn = true;
  let turn: Promise<unknown> = Promise.resolve();

  function runExclusive(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function stop(): Promise<void> {
    wasOn = (await nodeRpc.call(rpcUrl, 'anvil_getAutomine')) === true;
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    // A block already being built is still mined.
    for (let last: unknown, height: unknown = ''; last !== height; ) {
      last = height;
      await sleep(settleMs);
      height = await nodeRpc.call(rpcUrl, 'eth_blockNumber');
    }
  }

  return {
    async hold() {
      await runExclusive(async () => {
        if (holders === 0) await stop();
        holders += 1;
      });
      let isHeld = true;
      return () =>
        runExclusive(async () => {
          if (!isHeld) return;
          isHeld = false;
          holders -= 1;
          if (holders === 0 && wasOn) await nodeRpc.call(rpcUrl, 'evm_setAutomine', true);
        });
    },
  };
}

const settleMs = 10;
