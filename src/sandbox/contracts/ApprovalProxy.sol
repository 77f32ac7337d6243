// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';
import {Call3Value, Result, Router} from './Router.sol';
import {UsdCoin} from './UsdCoin.sol';

struct Permit3009 {
  address from;
  uint256 value;
  uint256 validAfter;
  uint256 validBefore;
  uint8 v;
  bytes32 r;
  bytes32 s;
}

/// @notice The only contract that users approve for swaps, or authorize by signature. It transfers their tokens to the
/// router and nowhere else.
contract ApprovalProxy {
  using SafeERC20 for IERC20;

  bytes32 private constant CALL_TYPEHASH =
    keccak256('Call3Value(address target,bool allowFailure,uint256 value,bytes callData)');
  bytes32 private constant WITNESS_TYPEHASH =
    keccak256(
      'RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)'
    );

  Router public immutable router;

  event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

  error ArrayLengthsMismatch();
  error RefundToCannotBeZeroAddress();

  constructor(Router router_) {
    router = router_;
  }

  function transferAndMulticall(
    address[] calldata tokens,
    uint256[] calldata amounts,
    Call3Value[] calldata calls,
    address refundTo,
    address nftRecipient,
    bytes calldata metadata
  ) external payable returns (Result[] memory) {
    if (tokens.length != amounts.length) revert ArrayLengthsMismatch();
    if (refundTo == address(0)) revert RefundToCannotBeZeroAddress();
    for (uint256 i; i < tokens.length; i++) {
      IERC20(tokens[i]).safeTransferFrom(msg.sender, address(router), amounts[i]);
      emit FundsMovement(msg.sender, address(router), tokens[i], amounts[i], metadata);
    }
    return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
  }

  /// @notice Takes tokens by EIP-3009 authorizations whose nonce is the hash of the sender and of everything that is done
  /// with them, so that a relayer can make no other calls.
  function permit3009TransferAndMulticall(
    Permit3009[] calldata permits,
    address[] calldata tokens,
    Call3Value[] calldata calls,
    address refundTo,
    address nftRecipient,
    bytes calldata metadata
  ) external payable returns (Result[] memory) {
    if (tokens.length != permits.length) revert ArrayLengthsMismatch();
    if (refundTo == address(0)) revert RefundToCannotBeZeroAddress();
    bytes32 nonce = keccak256(
      abi.encode(WITNESS_TYPEHASH, msg.sender, refundTo, nftRecipient, keccak256(metadata), _hash(calls))
    );
    for (uint256 i; i < permits.length; i++) _receive(tokens[i], permits[i], nonce, metadata);
    return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
  }

  function _receive(address token, Permit3009 calldata given, bytes32 nonce, bytes calldata metadata) private {
    UsdCoin(token).receiveWithAuthorization(
      given.from,
      address(this),
      given.value,
      given.validAfter,
      given.validBefore,
      nonce,
      given.v,
      given.r,
      given.s
    );
    IERC20(token).safeTransfer(address(router), given.value);
    emit FundsMovement(given.from, address(router), token, given.value, metadata);
  }

  function _hash(Call3Value[] calldata calls) private pure returns (bytes32) {
    bytes32[] memory hashes = new bytes32[](calls.length);
    for (uint256 i; i < hashes.length; i++) {
      Call3Value calldata call = calls[i];
      hashes[i] = keccak256(
        abi.encode(CALL_TYPEHASH, call.target, call.allowFailure, call.value, keccak256(call.callData))
      );
    }
    return keccak256(abi.encodePacked(hashes));
  }
}
