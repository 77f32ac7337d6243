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

/// @notice Executes several calls in one transaction. It holds nothing between transactions: anything left behind is
/// free for the next caller, so a multicall must end by cleaning up every token it touched.
contract Router {
  using SafeERC20 for IERC20;

  event RouterExecuted(address indexed sender, bytes metadata);

  error ArrayLengthsMismatch();
  error NativeTransferFailed(address recipient, uint256 amount);

  receive() external payable {}

  /// @notice Executes the calls in order and refunds the leftover native balance, unless `refundTo` is zero. The second
  /// address is the recipient of NFTs, of which the sandbox has none.
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

  /// @notice Transfers tokens out. An amount of zero means the whole balance.
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

  /// @notice Approves tokens to contracts and calls them. An amount of zero means the whole balance.
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

  /// @notice Transfers native currency out. An amount of zero means the whole balance.
  function cleanupNative(uint256 amount, address recipient) external {
    _send(recipient, amount == 0 ? address(this).balance : amount);
  }

  /// @notice Calls a contract with native currency. An amount of zero means the whole balance.
  function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external {
    _call(to, amount == 0 ? address(this).balance : amount, data);
  }

  /// @notice Unwraps the whole balance of the wrapped token.
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

  /// @dev Reverts with the callee's return data.
  function _bubble(bytes memory returnData) private pure {
    assembly ('memory-safe') {
      revert(add(returnData, 32), mload(returnData))
    }
  }
}
