// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';
import {EIP712} from '@openzeppelin/contracts/utils/cryptography/EIP712.sol';
import {SignatureChecker} from '@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol';

struct Call {
  address to;
  bytes data;
  uint256 value;
  bool allowFailure;
}

struct CallRequest {
  Call[] calls;
  uint256 nonce;
  uint256 expiration;
}

struct CallResult {
  bool success;
  bytes returnData;
}

/// @notice Accepts deposits for orders, and executes payouts signed by its allocator. Interface, events and errors are
/// the published ones of the service.
contract Depository is EIP712 {
  using SafeERC20 for IERC20;

  bytes32 private constant CALL_TYPEHASH = keccak256('Call(address to,bytes data,uint256 value,bool allowFailure)');
  bytes32 private constant CALL_REQUEST_TYPEHASH =
    keccak256(
      'CallRequest(Call[] calls,uint256 nonce,uint256 expiration)Call(address to,bytes data,uint256 value,bool allowFailure)'
    );

  /// @notice Signs payouts.
  address public immutable allocator;
  /// @notice Executed requests by struct hash.
  mapping(bytes32 id => bool) public callRequests;

  event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
  event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);
  event RelayCallExecuted(bytes32 id, Call call);

  error AddressCannotBeZero();
  error InvalidSignature();
  error CallRequestExpired();
  error CallRequestAlreadyUsed();
  error CallFailed(bytes returnData);

  constructor(address allocator_) EIP712('RelayDepository', '1') {
    if (allocator_ == address(0)) revert AddressCannotBeZero();
    allocator = allocator_;
  }

  /// @notice Deposits native currency for an order. A zero depositor credits the sender.
  function depositNative(address depositor, bytes32 id) external payable {
    emit RelayNativeDeposit(_credited(depositor), msg.value, id);
  }

  /// @notice Deposits a token for an order. A zero depositor credits the sender.
  function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external {
    _depositErc20(depositor, token, amount, id);
  }

  /// @notice Deposits the sender's entire allowance.
  function depositErc20(address depositor, address token, bytes32 id) external {
    _depositErc20(depositor, token, IERC20(token).allowance(msg.sender, address(this)), id);
  }

  /// @notice Executes a request signed by the allocator, once.
  function execute(
    CallRequest calldata request,
    bytes calldata signature
  ) external returns (CallResult[] memory results) {
    bytes32 id = _hash(request);
    if (request.expiration < block.timestamp) revert CallRequestExpired();
    if (!SignatureChecker.isValidSignatureNow(allocator, _hashTypedDataV4(id), signature)) revert InvalidSignature();
    if (callRequests[id]) revert CallRequestAlreadyUsed();
    callRequests[id] = true;

    results = new CallResult[](request.calls.length);
    for (uint256 i; i < request.calls.length; i++) {
      Call calldata call = request.calls[i];
      (bool success, bytes memory returnData) = call.to.call{value: call.value}(call.data);
      if (!success && !call.allowFailure) revert CallFailed(returnData);
      results[i] = CallResult(success, returnData);
      emit RelayCallExecuted(id, call);
    }
  }

  function _depositErc20(address depositor, address token, uint256 amount, bytes32 id) private {
    IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
    emit RelayErc20Deposit(_credited(depositor), token, amount, id);
  }

  function _credited(address depositor) private view returns (address) {
    return depositor == address(0) ? msg.sender : depositor;
  }

  function _hash(CallRequest calldata request) private pure returns (bytes32) {
    bytes32[] memory hashes = new bytes32[](request.calls.length);
    for (uint256 i; i < hashes.length; i++) {
      Call calldata call = request.calls[i];
      hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, call.to, keccak256(call.data), call.value, call.allowFailure));
    }
    return
      keccak256(
        abi.encode(CALL_REQUEST_TYPEHASH, keccak256(abi.encodePacked(hashes)), request.nonce, request.expiration)
      );
  }
}
