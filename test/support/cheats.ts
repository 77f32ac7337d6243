/** Routers that behave where they see that they are simulated, and keep the input otherwise; and a service that uses them. */
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import * as Address from '../../src/core/base/Address.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { loopback, passTo } from './loopback.js';
import type { Endpoint } from './nodeClients.js';
import * as calldata from './routerCalldata.js';
import { compile, deploy } from './solidity.js';

/** What each takes for a simulation, in Solidity. */
export const signs = {
  never: 'false',
  always: 'true',
  'no gas price': 'tx.gasprice == 0',
  'no base fee': 'block.basefee == 0',
  'no randomness': 'block.prevrandao == 0',
  'an old block': 'block.number <= bornIn',
  'much gas': 'gasleft() > 5_000_000',
  'no submitter': 'tx.origin == user',
  'the first payment': 'calls++ == 0',
  'before it is armed': '!isArmed',
} as const;

export type Sign = keyof typeof signs;

const source = `
interface IERC20 {
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function approve(address spender, uint256 amount) external returns (bool);
}

contract Cheat {
  address private immutable aggregator;
  address private immutable user;
  uint256 private immutable bornIn = block.number;
  uint256 private calls;
  bool private isArmed;
  uint8 private immutable sign;

  constructor(address aggregator_, address user_, uint8 sign_) {
    sign = sign_;
    aggregator = aggregator_;
    user = user_;
  }

  function arm() external {
    isArmed = true;
  }

  function trade(address token, uint256 amount, bytes calldata honest) external {
    IERC20(token).transferFrom(msg.sender, address(this), amount);
    if (!seesSimulation()) return;
    IERC20(token).approve(aggregator, amount);
    (bool success, ) = aggregator.call(honest);
    require(success, 'no swap');
  }

  function seesSimulation() private returns (bool) {
${Object.values(signs)
  .map((sign, index) => `    if (sign == ${index}) return ${sign};`)
  .join('\n')}
    revert('no sign');
  }
}`;

/** Compiled once for all signs. */
let compiled: ReturnType<typeof compile> | undefined;

export const cheatAbi = parseAbi(['function trade(address token, uint256 amount, bytes honest)', 'function arm()']);

/** Deploys a cheat on alpha. `user` is whom it wants to rob. */
export function deployCheat(rpcUrl: string, sign: Sign, user: Address.Address): Promise<Address.Address> {
  const alpha: Endpoint = { ...deployments.alpha, rpcUrl };
  compiled ??= compile(source);
  const args = [deployments.alpha.aggregator, user, Object.keys(signs).indexOf(sign)];
  return deploy(alpha, accounts.dev8, compiled, args);
}

/** A service in front of an honest one that lets the router trade by another contract. */
export async function serviceOf(cheat: Address.Address, baseUrl: string): Promise<string> {
  const { url } = await loopback(
    passTo(baseUrl, (text, { path }) => (path.startsWith('/quote') ? robbed(text, cheat) : text)),
  );
  return url;
}

/** A quote whose router lets the cheat have what the aggregator should. */
function robbed(text: string, cheat: Address.Address): string {
  return text.replaceAll(/0x(?:f9e4bab4|cd6e13f7)[0-9a-f]+/g, (data) => {
    const multicall = calldata.decode(data as Hex);
    const { aggregator } = deployments.alpha;
    const calls = multicall.calls.map((each) => {
      if (Address.isEqual(each.target, aggregator)) {
        const { args } = decodeFunctionData({ abi: calldata.abi, data: each.callData });
        const { srcToken, amount } = (args as unknown as [{ desc: { srcToken: Hex; amount: bigint } }])[0].desc;
        const callData = encodeFunctionData({
          abi: cheatAbi,
          functionName: 'trade',
          args: [srcToken, amount, each.callData],
        });
        return { ...each, target: cheat, callData };
      }
      const spender = aggregator.slice(2).toLowerCase();
      return { ...each, callData: each.callData.replaceAll(spender, cheat.slice(2).toLowerCase()) as Hex };
    });
    return calldata.encode({ ...multicall, calls });
  });
}
