// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';
import {Pool} from './Pool.sol';

interface IWrapped is IERC20 {
  function deposit() external payable;
  function withdraw(uint256 amount) external;
}

struct Hop {
  Pool pool;
  address tokenIn;
  address tokenOut;
}

/// @notice Executes the aggregator's swaps: sells everything that it was given, pool by pool. It holds nothing between
/// calls and guarantees nothing: the aggregator compares the result with the minimum.
contract SwapExecutor {
  using SafeERC20 for IERC20;

  error TransferFailed(address to, uint256 amount);

  receive() external payable {}

  /// @notice Sells the whole balance of the first hop's input, or the value sent, wrapped. The last hop's output goes to
  /// `to`, unwrapped if asked for.
  function execute(IWrapped wrapped, Hop[] calldata hops, bool unwraps, address to) external payable {
    if (msg.value > 0) wrapped.deposit{value: msg.value}();
    for (uint256 i; i < hops.length; i++) {
      Hop calldata hop = hops[i];
      uint256 amount = IERC20(hop.tokenIn).balanceOf(address(this));
      IERC20(hop.tokenIn).forceApprove(address(hop.pool), amount);
      bool isLast = i + 1 == hops.length && !unwraps;
      hop.pool.swapExactIn(hop.tokenIn, amount, 0, isLast ? to : address(this));
    }
    if (!unwraps) return;
    uint256 out = wrapped.balanceOf(address(this));
    wrapped.withdraw(out);
    (bool sent, ) = to.call{value: out}('');
    if (!sent) revert TransferFailed(to, out);
  }
}
