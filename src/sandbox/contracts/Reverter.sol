// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice Fails in every way that a contract can fail.
contract Reverter {
  enum Choice {
    Only
  }

  bytes private stored;
  uint256[] private list;

  error LimitExceeded(address account, uint256 limit, uint256 requested);
  error Unpublished(uint256 value);

  /// @notice Never reverts.
  function succeed(uint256 value) external payable returns (uint256) {
    return value;
  }

  function errorString(string calldata reason) external pure {
    revert(reason);
  }

  /// @notice Triggers the compiler-generated panic with the given code; other codes are encoded by hand.
  function panic(uint256 code) external {
    if (code == 0x01) assert(list.length > 0);
    else if (code == 0x11) list.push(list.length - 1);
    else if (code == 0x12) list.push(1 / list.length);
    else if (code == 0x21) list.push(uint256(Choice(code)));
    else if (code == 0x22) _readBroken();
    else if (code == 0x31) list.pop();
    else if (code == 0x32) list.push(list[0]);
    else if (code == 0x41) list = new uint256[](type(uint256).max);
    else if (code == 0x51) _callUnset();
    _panic(code);
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

  /// @dev Corrupts the encoding of a bytes variable in storage, then reads its length.
  function _readBroken() private {
    assembly {
      sstore(stored.slot, 1)
    }
    list.push(stored.length);
  }

  function _callUnset() private pure {
    function() internal pure unset;
    unset();
  }

  function _panic(uint256 code) private pure {
    bytes memory reason = abi.encodeWithSignature('Panic(uint256)', code);
    assembly ('memory-safe') {
      revert(add(reason, 32), mload(reason))
    }
  }
}
