// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';

struct SwapDescription {
  address srcToken;
  address dstToken;
  address[] srcReceivers;
  uint256[] srcAmounts;
  address[] feeReceivers;
  uint256[] feeAmounts;
  address dstReceiver;
  uint256 amount;
  uint256 minReturnAmount;
  uint256 flags;
  bytes permit;
}

struct SwapExecution {
  address callTarget;
  address approveTarget;
  bytes targetData;
  SwapDescription desc;
  bytes clientData;
}

/// @notice An exchange aggregator with the interface of KyberSwap's router: it hands the input to an executor and holds
/// whatever that does to the minimum. Of the published features it has those that its swaps need, and refuses others.
contract AggregationRouter {
  using SafeERC20 for IERC20;

  address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
  /// @dev An allowance for this contract is safe only if nothing else can be called.
  address private constant EXECUTOR = 0x8F10B468b06c6FD214B65F87778827F7D113f996;
  /// @dev Flags that change neither the amounts nor the minimum: hints for the executor.
  uint256 private constant HINTS = 0x3a4;

  event Swapped(
    address sender,
    address srcToken,
    address dstToken,
    address dstReceiver,
    uint256 spentAmount,
    uint256 returnAmount
  );
  event ClientData(bytes clientData);

  error UnsupportedFeature();

  /// @notice Takes `amount` of the input from the sender and calls the executor. Reverts if the receiver's balance of the
  /// output has not grown by the minimum.
  function swap(
    SwapExecution calldata execution
  ) external payable returns (uint256 returnAmount, uint256 gasUsed) {
    uint256 gasBefore = gasleft();
    SwapDescription calldata desc = execution.desc;
    if (desc.flags & ~HINTS != 0 || desc.permit.length > 0 || desc.feeReceivers.length > 0) revert UnsupportedFeature();
    require(execution.callTarget == EXECUTOR, 'Not whitelisted executor');
    require(desc.minReturnAmount > 0, 'Invalid min return amount');
    require(desc.srcReceivers.length == desc.srcAmounts.length, 'Invalid length');
    address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
    require(msg.value == (desc.srcToken == NATIVE ? desc.amount : 0), 'Invalid msg.value');

    uint256 before = _balance(desc.dstToken, receiver);
    _take(desc);
    (bool success, bytes memory returnData) = execution.callTarget.call{value: msg.value}(execution.targetData);
    if (!success) {
      assembly ('memory-safe') {
        revert(add(returnData, 32), mload(returnData))
      }
    }
    returnAmount = _balance(desc.dstToken, receiver) - before;
    require(returnAmount >= desc.minReturnAmount, 'Return amount is not enough');

    emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, desc.amount, returnAmount);
    emit ClientData(execution.clientData);
    gasUsed = gasBefore - gasleft();
  }

  /// @dev Sends the input to whom the executor wants to have it, and no more than the stated amount.
  function _take(SwapDescription calldata desc) private {
    if (desc.srcToken == NATIVE) return;
    uint256 left = desc.amount;
    for (uint256 i; i < desc.srcReceivers.length; i++) {
      left -= desc.srcAmounts[i];
      IERC20(desc.srcToken).safeTransferFrom(msg.sender, desc.srcReceivers[i], desc.srcAmounts[i]);
    }
  }

  function _balance(address token, address holder) private view returns (uint256) {
    return token == NATIVE ? holder.balance : IERC20(token).balanceOf(holder);
  }
}
