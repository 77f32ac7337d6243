/**
 * Interfaces of the service's contracts, without their events, as the program reads them in traces and the sandbox
 * calls them.
 */

export const weth = ['function deposit() payable', 'function withdraw(uint256 wad)'] as const;

export const priceFeed = [
  'function pool() view returns (address)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
] as const;

export const pool = [
  'error InsufficientOutput(uint256 amountOut, uint256 minOut)',
  'error UnknownToken(address token)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function feeBps() view returns (uint256)',
  'function reserves() view returns (uint256 reserve0, uint256 reserve1)',
  'function quoteExactIn(address tokenIn, uint256 amountIn) view returns (uint256 amountOut)',
  'function swapExactIn(address tokenIn, uint256 amountIn, uint256 minOut, address to) returns (uint256 amountOut)',
] as const;

export const depositFactory = [
  'function DEPOSITORY() view returns (address)',
  'function IMPLEMENTATION() view returns (address)',
  'function computeDepositAddress(bytes32 orderId, address depositor) view returns (address)',
  'function sweep(bytes32 orderId, address depositor, address[] tokens)',
  'error CreationFailed()',
] as const;

export const depository = [
  'struct Call { address to; bytes data; uint256 value; bool allowFailure; }',
  'struct CallRequest { Call[] calls; uint256 nonce; uint256 expiration; }',
  'struct CallResult { bool success; bytes returnData; }',
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
] as const;

export const router = [
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
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
] as const;

export const approvalProxy = [
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'struct Permit3009 { address from; uint256 value; uint256 validAfter; uint256 validBefore; uint8 v; bytes32 r; bytes32 s; }',
  'error RefundToCannotBeZeroAddress()',
  'function router() view returns (address)',
  'function permit3009TransferAndMulticall(Permit3009[] permits, address[] tokens, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
] as const;

export const delegator = [
  'error CallerMustBeManager(address caller)',
  'error DelegationExpired(uint256 expiry)',
  'error UnsupportedMode(bytes32 mode)',
  'function manager() view returns (address)',
  'function executeFromExecutor(uint256 expiry, bytes32 mode, bytes executionCalldata) payable returns (bytes)',
] as const;

export const forwarder = [
  'error ForwardFailed(address to, bytes reason)',
  'function forward(address to, bytes data) payable returns (bytes returnData)',
  'function wrap(address to, bytes data) payable returns (bytes returnData)',
  'function attempt(address to, bytes data) payable returns (bool success, bytes returnData)',
] as const;

export const universalRouter = [
  'function execute(bytes commands, bytes[] inputs) payable',
  'error ExecutionFailed(uint256 commandIndex, bytes message)',
  'error LengthMismatch()',
  'error InvalidCommandType(uint256 commandType)',
  'error BalanceTooLow()',
] as const;

export const cheat = [
  'function trade(address token, uint256 amount, address exchange, bytes swap)',
  'error NotSwapped()',
] as const;
