// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice Forwards calls, and propagates, wraps or swallows their failures. It can forward to itself.
contract Forwarder {
  error ForwardFailed(address to, bytes reason);

  /// @notice Reverts with the callee's return data.
  function forward(address to, bytes calldata data) external payable returns (bytes memory returnData) {
    bool success;
    (success, returnData) = to.call{value: msg.value}(data);
    if (success) return returnData;
    assembly ('memory-safe') {
      revert(add(returnData, 32), mload(returnData))
    }
  }

  /// @notice Reverts with an error of its own that wraps the callee's return data.
  function wrap(address to, bytes calldata data) external payable returns (bytes memory) {
    (bool success, bytes memory returnData) = to.call{value: msg.value}(data);
    if (!success) revert ForwardFailed(to, returnData);
    return returnData;
  }

  /// @notice Never reverts.
  function attempt(address to, bytes calldata data) external payable returns (bool success, bytes memory returnData) {
    return to.call{value: msg.value}(data);
  }
}
