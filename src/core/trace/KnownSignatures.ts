/** The signatures that ship with ferry: the contracts of its own transfers, and common standards. */
import * as Contracts from '../api/Contracts.js';
import * as SelectorLookup from './SelectorLookup.js';

/** All shipped functions and errors. Computed on first use, since most commands never need them. */
export function signatures(): SelectorLookup.Signatures {
  known ??= SelectorLookup.merge(...Object.values(interfaces).map(SelectorLookup.fromWritten));
  return known;
}

let known: SelectorLookup.Signatures | undefined;

const call3Value = 'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }';
const result = 'struct Result { bool success; bytes returnData; }';

/** By contract or standard. If two use different parameter names for one signature, the first wins. */
const interfaces: Readonly<Record<string, readonly string[]>> = {
  Solidity: ['error Error(string reason)', 'error Panic(uint256 code)'],
  'ERC-20': [
    'function name() view returns (string)',
    'function symbol() view returns (string)',
    'function decimals() view returns (uint8)',
    'function totalSupply() view returns (uint256)',
    'function balanceOf(address account) view returns (uint256)',
    'function allowance(address owner, address spender) view returns (uint256)',
    'function approve(address spender, uint256 value) returns (bool)',
    'function transfer(address to, uint256 value) returns (bool)',
    'function transferFrom(address from, address to, uint256 value) returns (bool)',
    'function mint(address to, uint256 value)',
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    'error ERC20InvalidSender(address sender)',
    'error ERC20InvalidReceiver(address receiver)',
    'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
    'error ERC20InvalidApprover(address approver)',
    'error ERC20InvalidSpender(address spender)',
    'error OwnableUnauthorizedAccount(address account)',
    'error SafeERC20FailedOperation(address token)',
  ],
  USDC: Contracts.usdCoin,
  'ERC-2612': [
    'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
    'function DOMAIN_SEPARATOR() view returns (bytes32)',
    'error ERC2612ExpiredSignature(uint256 deadline)',
    'error ERC2612InvalidSigner(address signer, address owner)',
    'error InvalidAccountNonce(address account, uint256 currentNonce)',
  ],
  'ERC-3009': [
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
    'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
    'function version() view returns (string)',
  ],
  WETH: Contracts.weth,
  PriceFeed: Contracts.priceFeed,
  Pool: [
    ...Contracts.pool,
    'error ExcessiveInput(uint256 amountIn, uint256 maxIn)',
    'error InsufficientLiquidity(uint256 amountOut, uint256 reserve)',
    'function quoteExactOut(address tokenOut, uint256 amountOut) view returns (uint256 amountIn)',
    'function swapExactOut(address tokenOut, uint256 amountOut, uint256 maxIn, address to) returns (uint256 amountIn)',
  ],
  DepositAddressFactory: Contracts.depositFactory,
  Depository: Contracts.depository,
  Router: [
    ...Contracts.router,
    'function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)',
    'function cleanupNative(uint256 amount, address recipient)',
  ],
  KyberSwap: Contracts.aggregationRouter,
  SwapExecutor: Contracts.swapExecutor,
  ApprovalProxy: [
    ...Contracts.approvalProxy,
    'struct Permit2612 { address token; address owner; uint256 value; uint256 nonce; uint256 deadline; uint8 v; bytes32 r; bytes32 s; }',
    'error Unauthorized()',
    'function permitTransferAndMulticall(Permit2612[] permits, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
  ],
  Multicall3: [
    'struct Call { address target; bytes callData; }',
    'struct Call3 { address target; bool allowFailure; bytes callData; }',
    call3Value,
    result,
    'function aggregate(Call[] calls) payable returns (uint256 blockNumber, bytes[] returnData)',
    'function blockAndAggregate(Call[] calls) payable returns (uint256 blockNumber, bytes32 blockHash, Result[] returnData)',
    'function tryAggregate(bool requireSuccess, Call[] calls) payable returns (Result[] returnData)',
    'function tryBlockAndAggregate(bool requireSuccess, Call[] calls) payable returns (uint256 blockNumber, bytes32 blockHash, Result[] returnData)',
    'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
    'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
  ],
  Permit2: [
    'struct TokenPermissions { address token; uint256 amount; }',
    'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
    'struct PermitBatchTransferFrom { TokenPermissions[] permitted; uint256 nonce; uint256 deadline; }',
    'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
    'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
    'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
    'struct PermitBatch { PermitDetails[] details; address spender; uint256 sigDeadline; }',
    'struct AllowanceTransferDetails { address from; address to; uint160 amount; address token; }',
    'struct TokenSpenderPair { address token; address spender; }',
    'function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature)',
    'function permitTransferFrom(PermitBatchTransferFrom permit, SignatureTransferDetails[] transferDetails, address owner, bytes signature)',
    'function permitWitnessTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
    'function permitWitnessTransferFrom(PermitBatchTransferFrom permit, SignatureTransferDetails[] transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
    'function permit(address owner, PermitSingle permitSingle, bytes signature)',
    'function permit(address owner, PermitBatch permitBatch, bytes signature)',
    'function approve(address token, address spender, uint160 amount, uint48 expiration)',
    'function transferFrom(address from, address to, uint160 amount, address token)',
    'function transferFrom(AllowanceTransferDetails[] transferDetails)',
    'function lockdown(TokenSpenderPair[] approvals)',
    'function invalidateNonces(address token, address spender, uint48 newNonce)',
    'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
    'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
    'function nonceBitmap(address owner, uint256 wordPos) view returns (uint256)',
    'error AllowanceExpired(uint256 deadline)',
    'error InsufficientAllowance(uint256 amount)',
    'error ExcessiveInvalidation()',
    'error InvalidAmount(uint256 maxAmount)',
    'error LengthMismatch()',
    'error SignatureExpired(uint256 signatureDeadline)',
    'error InvalidNonce()',
    'error InvalidSignature()',
    'error InvalidSignatureLength()',
    'error InvalidSigner()',
    'error InvalidContractSignature()',
  ],
  Calibur: [...Contracts.batchExecutor, 'function execute(bytes32 mode, bytes executionData) payable'],
  DelegationManager: Contracts.delegationManager,
  Delegator: Contracts.delegator,
  Forwarder: Contracts.forwarder,
  UniversalRouter: Contracts.universalRouter,
  Cheat: Contracts.cheat,
  Reverter: Contracts.reverter,
};
