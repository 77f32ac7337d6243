// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice An account that executes single calls for its manager (ERC-7579 encoding) until they expire.
contract Delegator {
  address public immutable manager;

  error CallerMustBeManager(address caller);
  error DelegationExpired(uint256 expiry);
  error UnsupportedMode(bytes32 mode);

  constructor(address manager_) {
    manager = manager_;
  }

  receive() external payable {}

  /// @notice Executes a call packed as target (20 bytes), value (32 bytes) and data. `expiry` is inclusive.
  function executeFromExecutor(
    uint256 expiry,
    bytes32 mode,
    bytes calldata executionCalldata
  ) external payable returns (bytes memory) {
    if (msg.sender != manager) revert CallerMustBeManager(msg.sender);
    if (mode != 0) revert UnsupportedMode(mode);
    if (block.timestamp > expiry) revert DelegationExpired(expiry);
    address target = address(bytes20(executionCalldata[:20]));
    uint256 value = uint256(bytes32(executionCalldata[20:52]));
    (bool success, bytes memory returnData) = target.call{value: value}(executionCalldata[52:]);
    if (success) return returnData;
    assembly ('memory-safe') {
      revert(add(returnData, 32), mload(returnData))
    }
  }
}
