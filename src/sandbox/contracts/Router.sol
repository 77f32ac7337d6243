// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';

struct Call3Value {
  address target;
  bool allowFailure;
  uint256 value;
  bytes callData;
}

struct Result {
  bool success;
  bytes returnData;
}

interface IWrapped {
  function withdraw(uint256 amount) external;
}

/// @notice Makes several calls in one transaction. It holds nothing between two transactions: whatever a multicall
/// leaves behind belongs to whoever calls next, so a multicall ends with the clean-up of every token it touched.
contract Router {
  using SafeERC20 for IERC20;

  event RouterExecuted(address indexed sender, bytes metadata);

  error ArrayLengthsMismatch();
  error NativeTransferFailed(address recipient, uint256 amount);

  receive() external payable {}

  /// @notice Makes the calls in order and refunds the native asset that is left, unless `refundTo` is zero. The second
  /// address would receive NFTs, of which the sandbox has none.
  function multicall(
    Call3Value[] calldata calls,
    address refundTo,
    address,
    bytes calldata metadata
  ) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i; i < calls.length; i++) {
      Call3Value calldata call = calls[i];
      (bool success, bytes memory returnData) = call.target.call{value: call.value}(call.callData);
      if (!success && !call.allowFailure) _bubble(returnData);
      results[i] = Result(success, returnData);
    }
    emit RouterExecuted(msg.sender, metadata);
    if (refundTo != address(0) && address(this).balance > 0) _send(refundTo, address(this).balance);
  }

  /// @notice Sends tokens on. An amount of zero stands for the whole balance.
  function cleanupErc20s(
    address[] calldata tokens,
    address[] calldata recipients,
    uint256[] calldata amounts
  ) external {
    if (tokens.length != recipients.length || tokens.length != amounts.length) revert ArrayLengthsMismatch();
    for (uint256 i; i < tokens.length; i++) {
      uint256 amount = _orBalance(tokens[i], amounts[i]);
      if (amount > 0) IERC20(tokens[i]).safeTransfer(recipients[i], amount);
    }
  }

  /// @notice Approves exactly what it holds of each token to a contract and calls that. Zero stands for all.
  function cleanupErc20sViaCall(
    address[] calldata tokens,
    address[] calldata tos,
    bytes[] calldata datas,
    uint256[] calldata amounts
  ) external {
    if (tokens.length != tos.length || tokens.length != datas.length || tokens.length != amounts.length) {
      revert ArrayLengthsMismatch();
    }
    for (uint256 i; i < tokens.length; i++) {
      IERC20(tokens[i]).forceApprove(tos[i], _orBalance(tokens[i], amounts[i]));
      _call(tos[i], 0, datas[i]);
    }
  }

  /// @notice Sends the native asset on. An amount of zero stands for the whole balance.
  function cleanupNative(uint256 amount, address recipient) external {
    _send(recipient, amount == 0 ? address(this).balance : amount);
  }

  /// @notice Calls a contract with the native asset. An amount of zero stands for the whole balance.
  function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external {
    _call(to, amount == 0 ? address(this).balance : amount, data);
  }

  /// @notice Turns all it holds of the wrapped token into the native asset.
  function unwrap(address wrapped) external {
    IWrapped(wrapped).withdraw(IERC20(wrapped).balanceOf(address(this)));
  }

  function _orBalance(address token, uint256 amount) private view returns (uint256) {
    return amount == 0 ? IERC20(token).balanceOf(address(this)) : amount;
  }

  function _send(address recipient, uint256 amount) private {
    (bool sent, ) = recipient.call{value: amount}('');
    if (!sent) revert NativeTransferFailed(recipient, amount);
  }

  function _call(address to, uint256 value, bytes calldata data) private {
    (bool success, bytes memory returnData) = to.call{value: value}(data);
    if (!success) _bubble(returnData);
  }

  /// @dev Reverts with the very bytes that the inner call reverted with.
  function _bubble(bytes memory returnData) private pure {
    assembly ('memory-safe') {
      revert(add(returnData, 32), mload(returnData))
    }
  }
}
