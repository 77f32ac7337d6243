/**
 * The first steps on mainnet and testnet as the README has them, typed in a real terminal: a price without a key, and a
 * transfer. The service and the nodes are stand-ins on this machine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatHex, encodeAbiParameters, type Hex, numberToHex, parseEther } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Address } from '../../src/core/base/Address.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import * as Network from '../../src/core/network/Network.js';
import { network as testnet } from '../../src/core/network/testnet.js';
import * as anvil from '../../src/sandbox/chain/anvil.js';
import * as nodeRpc from '../../src/sandbox/chain/nodeRpc.js';
import bytecode from '../build/bytecode.json' with { type: 'json' };
import { useFerry } from '../support/builtFerry.js';
import { answering } from '../support/liveQuotes.js';
import { type Behaviour, json, loopback } from '../support/loopback.js';
import { describeWith, openShell } from '../support/terminal.js';

// A terminal, a shell and a new process for each line take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const built = useFerry();

const columns = 80;

/** The line of the README with these words, without its comment. */
function ofReadme(words: RegExp): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const line = readme.split('\n').find((each) => words.test(each));
  if (line === undefined) throw new Error(`The README has no ${words}.`);
  return line.replace(/ +#.*/, '');
}

/** Somebody with nothing but `ferry` on the path. */
async function person(more: Readonly<Record<string, string>>) {
  const XDG_CACHE_HOME = join(built.stateDir, '..', 'cache');
  const shell = await openShell(built, {
    columns,
    env: (home) => ({ ...more, FERRY_STATE_DIR: join(home, 'state'), XDG_CACHE_HOME, LC_ALL: 'C' }),
  });
  await shell.enter('TERM=xterm-256color');
  let count = 0;
  return {
    ...shell,
    /** Runs a line on an empty screen; what it printed, and its exit code. */
    async run(line: string) {
      count += 1;
      // The end of the line before may still be on the screen.
      const end = new RegExp(`^exit of ${count}: (\\d+)$`, 'm');
      await shell.enter(`TERM=xterm clear; ${line}; echo exit of ${count}: $?`);
      const screen = await shell.until((shown) => end.test(shown));
      return { screen, code: Number(end.exec(screen)?.[1]) };
    },
  };
}

/** The terminal had to break no line, but of one word that none has room for, and commands to type. */
function expectFitting(screen: string): void {
  const lines = screen.split('\n').filter((line) => line.length > columns && !/^\s*(next: )?ferry /.test(line));
  expect(lines.filter((line) => /\S\s+\S/.test(line))).toEqual([]);
  expect(screen).toMatch(/^[\0-\x7f]+$/);
}

type Nodes = Readonly<Record<'sepolia' | 'base-sepolia', anvil.Anvil>>;

/** A stand-in for the service, which pays on the second node once the first has a deposit and `mayPay` holds. */
function service(nodes: Nodes, recipient: () => string, mayPay: () => boolean): Behaviour {
  const quote = answering(testnet, ['sepolia', 'base-sepolia']);
  const { depository } = Network.chain(testnet, 'sepolia').contracts;
  let fill: Promise<unknown> | undefined;
  return async (response, request) => {
    if (request.path.startsWith('/quote')) return quote(response, request);
    if (!request.path.startsWith('/intents/status')) return json({ message: 'Not found' }, 404)(response, request);
    const value = await nodeRpc.call(nodes.sepolia.rpcUrl, 'eth_getBalance', depository, 'latest');
    if (value === '0x0' || !mayPay()) return json({ status: 'waiting' })(response, request);
    const { rpcUrl } = nodes['base-sepolia'];
    const from = DevelopmentAccount.address(0);
    fill ??= nodeRpc.call(rpcUrl, 'eth_sendTransaction', { from, to: recipient(), value });
    json({ status: 'success', txHashes: [await fill] })(response, request);
  };
}

/** Nodes of both chains, with a depository where the table has it. */
async function startNodes(): Promise<Nodes> {
  const searchPath = process.env.PATH;
  const path = anvil.find({ searchPath });
  const start = async (name: keyof Nodes): Promise<anvil.Anvil> => {
    const { id, contracts } = Network.chain(testnet, name);
    const node = await anvil.start({ path, searchPath, chainId: id });
    onTestFinished(() => node.stop());
    const code = await nodeRpc.call(node.rpcUrl, 'eth_call', { data: creation(DevelopmentAccount.address(0)) });
    await nodeRpc.call(node.rpcUrl, 'anvil_setCode', contracts.depository, code);
    return node;
  };
  const [sepolia, base] = await Promise.all([start('sepolia'), start('base-sepolia')]);
  return { sepolia, 'base-sepolia': base };
}

/** What creates a depository with that allocator. A call of it answers with its code. */
function creation(allocator: Address): Hex {
  return concatHex([bytecode.Depository as Hex, encodeAbiParameters([{ type: 'address' }], [allocator])]);
}

describeWith(['tmux'], 'a real network', () => {
  test('default: a transfer on testnet, resized while it waits', async () => {
    const nodes = await startNodes();
    let [address, mayPay] = ['', false];
    const stub = await loopback(
      service(
        nodes,
        () => address,
        () => mayPay,
      ),
    );
    const {
      run,
      enter,
      until,
      resize,
      screen: shows,
      home,
    } = await person({
      FERRY_BASE_URL: stub.url,
      FERRY_RPC_URL_SEPOLIA: nodes.sepolia.rpcUrl,
      FERRY_RPC_URL_BASE_SEPOLIA: nodes['base-sepolia'].rpcUrl,
    });
    writeFileSync(join(home, 'password'), 'correct horse', { mode: 0o600 });
    const made = await run(`${ofReadme(/^ferry key new main/)} --network testnet --password-file password`);
    [address = ''] = /0x[0-9a-fA-F]{40}/.exec(made.screen) ?? [];
    await nodeRpc.call(nodes.sepolia.rpcUrl, 'anvil_setBalance', address, numberToHex(parseEther('1')));
    const transfer = 'ferry execute 0.01 sepolia/eth base-sepolia/eth --network testnet --account main';
    const refused = await run(`${transfer} --dry-run`);
    expect(refused.code).toBe(5);
    // Nothing is known of a router there, which the refusal says, and what accepts that.
    const [allow] = /--allow [a-z-]+/.exec(refused.screen) ?? [];
    await enter(`TERM=xterm clear; ${transfer} ${allow} --password-file password; echo exit $?`);
    await until((screen) => screen.includes('(y/N)'));
    await enter('y');
    await until((screen) => screen.includes('mined in block'));
    for (const width of [40, columns]) {
      const before = await shows();
      await resize(width);
      await until((now) => now !== before);
    }
    mayPay = true;
    const screen = await until((shown) => /^exit \d+$/m.test(shown));
    expect(screen.replace(/\s+/g, ' ')).toMatch(/Delivered in .*read from the chain.*exit 0/);
    for (const shown of [made.screen, refused.screen, screen]) expectFitting(shown);
  });
});
