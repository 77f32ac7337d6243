/** ABIs of the sandbox's contracts. A test compares them with the compiler output. */
import { erc20Abi, parseAbi } from 'viem';
import * as Contracts from '../../core/api/Contracts.js';

export const token = [
  ...erc20Abi,
  ...parseAbi([
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
    'error OwnableUnauthorizedAccount(address account)',
    'function mint(address to, uint256 amount)',
  ]),
] as const;

/** Additions of USDC to the plain token. */
export const usdCoin = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  ...Contracts.usdCoin,
]);

/** USDT: its state-changing functions return nothing. */
export const tether = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address holder) view returns (uint256)',
  'function allowance(address holder, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
  'function mint(address to, uint256 value)',
]);

/** Additions of WETH to the plain token. */
export const weth = parseAbi([
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
  ...Contracts.weth,
]);

export const pool = parseAbi([
  'event Swap(address indexed sender, address indexed to, address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut)',
  ...Contracts.pool,
]);

export const depository = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
  'event RelayCallExecuted(bytes32 id, Call call)',
  ...Contracts.depository,
]);

export const depositFactory = parseAbi([
  'event ProxyDeployed(bytes32 indexed orderId, address proxyAddress)',
  ...Contracts.depositFactory,
]);

export const router = parseAbi([
  'event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata)',
  'event SolverNativeTransfer(address to, uint256 amount)',
  'event SolverCallExecuted(address to, bytes data, uint256 amount)',
  ...Contracts.router,
]);

export const approvalProxy = parseAbi([
  'error ArrayLengthsMismatch()',
  'event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata)',
  ...Contracts.approvalProxy,
]);

/** The part of Uniswap's router that the contract implements: the balance check. */
export const cheat = parseAbi(Contracts.cheat);

export const universalRouter = parseAbi(Contracts.universalRouter);

/** The part of KyberSwap's router that the contract implements. */
export const aggregationRouter = parseAbi([
  'event Swapped(address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
  'event ClientData(bytes clientData)',
  ...Contracts.aggregationRouter,
]);

export const swapExecutor = parseAbi(Contracts.swapExecutor);

/** The part of Calibur's documented interface and errors that the contract implements. */
export const batchExecutor = parseAbi([
  'event BatchExecuted(uint256 indexed nonce, address indexed executor)',
  ...Contracts.batchExecutor,
]);

export const multicall3 = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
]);

export const delegationManager = parseAbi(Contracts.delegationManager);

export const delegator = parseAbi(Contracts.delegator);

export const forwarder = parseAbi(Contracts.forwarder);

/** Omits the error of `unknownError` on purpose. */
export const reverter = parseAbi(Contracts.reverter);

/** Chainlink's AggregatorV3Interface, as far as it is used. */
export const priceFeed = parseAbi(Contracts.priceFeed);
