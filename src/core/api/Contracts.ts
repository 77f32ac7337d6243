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

export const usdCoin = [
  'error InvalidSignature()',
  'error PermitExpired(uint256 deadline)',
  'error AuthorizationNotYetValid(uint256 validAfter)',
  'error AuthorizationExpired(uint256 validBefore)',
  'error AuthorizationUsedOrCanceled(address authorizer, bytes32 nonce)',
  'error CallerMustBePayee(address payee)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function TRANSFER_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
  'function RECEIVE_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
  'function CANCEL_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
] as const;

export const aggregationRouter = [
  'struct SwapDescription { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct SwapExecution { address callTarget; address approveTarget; bytes targetData; SwapDescription desc; bytes clientData; }',
  'error UnsupportedFeature()',
  'function swap(SwapExecution execution) payable returns (uint256 returnAmount, uint256 gasUsed)',
] as const;

export const swapExecutor = [
  'struct Hop { address pool; address tokenIn; address tokenOut; }',
  'error TransferFailed(address to, uint256 amount)',
  'function execute(address wrapped, Hop[] hops, bool unwraps, address to) payable',
] as const;

export const batchExecutor = [
  'struct Call { address to; uint256 value; bytes data; }',
  'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
  'struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }',
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
] as const;

export const delegationManager = [
  'error ArrayLengthsMismatch()',
  'error DelegationRedeemFailed(uint256 index, bytes reason)',
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] calldatas) payable',
] as const;

export const reverter = [
  'error LimitExceeded(address account, uint256 limit, uint256 requested)',
  'function succeed(uint256 value) payable returns (uint256)',
  'function errorString(string reason) pure',
  'function panic(uint256 code) pure',
  'function customError(address account, uint256 limit, uint256 requested) pure',
  'function unknownError(uint256 value) pure',
  'function empty() pure',
] as const;
