// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice Fails in every way that a contract can fail.
contract Reverter {
  error LimitExceeded(address account, uint256 limit, uint256 requested);
  error Unpublished(uint256 value);

  /// @notice Never reverts.
  function succeed(uint256 value) external payable returns (uint256) {
    return value;
  }

  function errorString(string calldata reason) external pure {
    revert(reason);
  }

  /// @notice Reverts as the compiler does, with any code.
  function panic(uint256 code) external pure {
    bytes memory reason = abi.encodeWithSignature('Panic(uint256)', code);
    assembly ('memory-safe') {
      revert(add(reason, 32), mload(reason))
    }
  }

  function customError(address account, uint256 limit, uint256 requested) external pure {
    revert LimitExceeded(account, limit, requested);
  }

  /// @notice Reverts with an error that is not in the published ABI.
  function unknownError(uint256 value) external pure {
    revert Unpublished(value);
  }

  /// @notice Reverts without data.
  function empty() external pure {
    revert();
  }
}
