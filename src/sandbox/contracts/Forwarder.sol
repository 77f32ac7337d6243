// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice Stands between a caller and a contract, and treats the contract's failure in each way that contracts do. It
/// may forward to itself.
contract Forwarder {
  error ForwardFailed(address to, bytes reason);

  /// @notice Fails with the very bytes that the call failed with.
  function forward(address to, bytes calldata data) external payable returns (bytes memory returnData) {
    bool success;
    (success, returnData) = to.call{value: msg.value}(data);
    if (success) return returnData;
    assembly ('memory-safe') {
      revert(add(returnData, 32), mload(returnData))
    }
  }

  /// @notice Fails with an error of its own that holds those bytes.
  function wrap(address to, bytes calldata data) external payable returns (bytes memory) {
    (bool success, bytes memory returnData) = to.call{value: msg.value}(data);
    if (!success) revert ForwardFailed(to, returnData);
    return returnData;
  }

  /// @notice Does not fail.
  function attempt(address to, bytes calldata data) external payable returns (bool success, bytes memory returnData) {
    return to.call{value: msg.value}(data);
  }
}
