import { expect, test } from 'vitest';
import * as ChainRow from '../../../src/core/network/ChainRow.js';

const weth = '0x4200000000000000000000000000000000000006';
const depository = '0x4cD00E387622C35bDDB9b4c962C136462338BC31';

test('toChain: a chain whose wrapped token is not known has none, whatever its tokens', () => {
  const row: ChainRow.Row = [
    ...([143, 'monad', 'Monad', { depository }, ['MON', 'Monad', 18]] as const),
    ...(['https://rpc.example', 'https://scan.example', '', [['WETH', 'Wrapped Ether', weth, 18]]] as const),
  ];
  expect(ChainRow.toChain(row).contracts).toEqual({ depository });
});
