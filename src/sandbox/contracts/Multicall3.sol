// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Call3Value, Result} from './Router.sol';

struct Call3 {
  address target;
  bool allowFailure;
  bytes callData;
}

/// @notice Bundles calls into one. Has only the two functions in use of the published interface, with its published
/// failure messages, which hide the cause: only a trace shows it.
contract Multicall3 {
  function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory returnData) {
    returnData = new Result[](calls.length);
    for (uint256 i; i < calls.length; i++) {
      returnData[i] = _call(calls[i].target, calls[i].allowFailure, 0, calls[i].callData);
    }
  }

  /// @notice The calls' values must add up to the transaction's value.
  function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory returnData) {
    uint256 total;
    returnData = new Result[](calls.length);
    for (uint256 i; i < calls.length; i++) {
      total += calls[i].value;
      returnData[i] = _call(calls[i].target, calls[i].allowFailure, calls[i].value, calls[i].callData);
    }
    require(msg.value == total, 'Multicall3: value mismatch');
  }

  function _call(
    address target,
    bool allowFailure,
    uint256 value,
    bytes calldata callData
  ) private returns (Result memory) {
    (bool success, bytes memory returnData) = target.call{value: value}(callData);
    require(success || allowFailure, 'Multicall3: call failed');
    return Result(success, returnData);
  }
}
