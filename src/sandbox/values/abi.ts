/** ABIs of the sandbox's contracts. A test compares them with the compiler output. */
import { parseAbi } from 'viem';

export const token = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error OwnableUnauthorizedAccount(address account)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 amount)',
]);

/** Additions of USDC to the plain token. */
export const usdCoin = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'error InvalidSignature()',
  'error PermitExpired(uint256 deadline)',
  'error AuthorizationNotYetValid(uint256 validAfter)',
  'error AuthorizationExpired(uint256 validBefore)',
  'error AuthorizationUsedOrCanceled(address authorizer, bytes32 nonce)',
  'error CallerMustBePayee(address payee)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function TRANSFER_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
  'function RECEIVE_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
  'function CANCEL_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function nonces(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
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
  'function deposit() payable',
  'function withdraw(uint256 wad)',
]);

export const pool = parseAbi([
  'event Swap(address indexed sender, address indexed to, address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut)',
  'error InsufficientOutput(uint256 amountOut, uint256 minOut)',
  'error ExcessiveInput(uint256 amountIn, uint256 maxIn)',
  'error InsufficientLiquidity(uint256 amountOut, uint256 reserve)',
  'error UnknownToken(address token)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function feeBps() view returns (uint256)',
  'function reserves() view returns (uint256 reserve0, uint256 reserve1)',
  'function quoteExactIn(address tokenIn, uint256 amountIn) view returns (uint256 amountOut)',
  'function quoteExactOut(address tokenOut, uint256 amountOut) view returns (uint256 amountIn)',
  'function swapExactIn(address tokenIn, uint256 amountIn, uint256 minOut, address to) returns (uint256 amountOut)',
  'function swapExactOut(address tokenOut, uint256 amountOut, uint256 maxIn, address to) returns (uint256 amountIn)',
]);

export const depository = parseAbi([
  'struct Call { address to; bytes data; uint256 value; bool allowFailure; }',
  'struct CallRequest { Call[] calls; uint256 nonce; uint256 expiration; }',
  'struct CallResult { bool success; bytes returnData; }',
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
  'event RelayCallExecuted(bytes32 id, Call call)',
  'error AddressCannotBeZero()',
  'error InvalidSignature()',
  'error CallRequestExpired()',
  'error CallRequestAlreadyUsed()',
  'error CallFailed(bytes returnData)',
  'function allocator() view returns (address)',
  'function callRequests(bytes32 id) view returns (bool)',
  'function depositNative(address depositor, bytes32 id) payable',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function depositErc20(address depositor, address token, bytes32 id)',
  'function execute(CallRequest request, bytes signature) returns (CallResult[] results)',
]);

export const depositFactory = parseAbi([
  'event ProxyDeployed(bytes32 indexed orderId, address proxyAddress)',
  'error CreationFailed()',
  'function DEPOSITORY() view returns (address)',
  'function IMPLEMENTATION() view returns (address)',
  'function computeDepositAddress(bytes32 orderId, address depositor) view returns (address)',
  'function sweep(bytes32 orderId, address depositor, address[] tokens)',
]);

export const router = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata)',
  'event SolverNativeTransfer(address to, uint256 amount)',
  'event SolverCallExecuted(address to, bytes data, uint256 amount)',
  'error ArrayLengthsMismatch()',
  'error CallFailed()',
  'error ETHTransferFailed()',
  'error InvalidMsgSender(address storedSender, address actualSender)',
  'error InvalidRecipient(address recipient)',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
  'function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)',
  'function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)',
  'function cleanupNative(uint256 amount, address recipient, bytes metadata)',
  'function cleanupNativeViaCall(uint256 amount, address to, bytes data)',
]);

export const approvalProxy = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Permit2612 { address token; address owner; uint256 value; uint256 nonce; uint256 deadline; uint8 v; bytes32 r; bytes32 s; }',
  'struct Permit3009 { address from; uint256 value; uint256 validAfter; uint256 validBefore; uint8 v; bytes32 r; bytes32 s; }',
  'struct Result { bool success; bytes returnData; }',
  'error ArrayLengthsMismatch()',
  'event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata)',
  'error RefundToCannotBeZeroAddress()',
  'error Unauthorized()',
  'function router() view returns (address)',
  'function permitTransferAndMulticall(Permit2612[] permits, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
  'function permit3009TransferAndMulticall(Permit3009[] permits, address[] tokens, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
]);

/** The part of Uniswap's router that the contract implements: the balance check. */
export const cheat = parseAbi([
  'function trade(address token, uint256 amount, address exchange, bytes swap)',
  'error NotSwapped()',
]);

export const universalRouter = parseAbi([
  'error ExecutionFailed(uint256 commandIndex, bytes message)',
  'error LengthMismatch()',
  'error InvalidCommandType(uint256 commandType)',
  'error BalanceTooLow()',
  'function execute(bytes commands, bytes[] inputs) payable',
]);

/** The part of KyberSwap's router that the contract implements. */
export const aggregationRouter = parseAbi([
  'struct SwapDescription { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct SwapExecution { address callTarget; address approveTarget; bytes targetData; SwapDescription desc; bytes clientData; }',
  'event Swapped(address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
  'event ClientData(bytes clientData)',
  'error UnsupportedFeature()',
  'function swap(SwapExecution execution) payable returns (uint256 returnAmount, uint256 gasUsed)',
]);

export const swapExecutor = parseAbi([
  'struct Hop { address pool; address tokenIn; address tokenOut; }',
  'error TransferFailed(address to, uint256 amount)',
  'function execute(address wrapped, Hop[] hops, bool unwraps, address to) payable',
]);

/** The part of Calibur's documented interface and errors that the contract implements. */
export const batchExecutor = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
  'struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }',
  'event BatchExecuted(uint256 indexed nonce, address indexed executor)',
  'error Unauthorized()',
  'error SignatureExpired()',
  'error InvalidNonce()',
  'error KeyDoesNotExist()',
  'error InvalidSignature()',
  'error CallFailed(bytes reason)',
  'function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable',
  'function execute(BatchedCall batchedCall) payable',
  'function getSeq(uint256 key) view returns (uint256 seq)',
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
]);

export const multicall3 = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
]);

export const delegationManager = parseAbi([
  'error ArrayLengthsMismatch()',
  'error DelegationRedeemFailed(uint256 index, bytes reason)',
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] calldatas) payable',
]);

export const delegator = parseAbi([
  'error CallerMustBeManager(address caller)',
  'error DelegationExpired(uint256 expiry)',
  'error UnsupportedMode(bytes32 mode)',
  'function manager() view returns (address)',
  'function executeFromExecutor(uint256 expiry, bytes32 mode, bytes executionCalldata) payable returns (bytes)',
]);

export const forwarder = parseAbi([
  'error ForwardFailed(address to, bytes reason)',
  'function forward(address to, bytes data) payable returns (bytes returnData)',
  'function wrap(address to, bytes data) payable returns (bytes returnData)',
  'function attempt(address to, bytes data) payable returns (bool success, bytes returnData)',
]);

/** Omits the error of `unknownError` on purpose. */
export const reverter = parseAbi([
  'error LimitExceeded(address account, uint256 limit, uint256 requested)',
  'function succeed(uint256 value) payable returns (uint256)',
  'function errorString(string reason) pure',
  'function panic(uint256 code)',
  'function customError(address account, uint256 limit, uint256 requested) pure',
  'function unknownError(uint256 value) pure',
  'function empty() pure',
]);

/** Chainlink's AggregatorV3Interface, as far as it is used. */
export const priceFeed = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function pool() view returns (address)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);
