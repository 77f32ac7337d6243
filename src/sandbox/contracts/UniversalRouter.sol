// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';

/// @notice The balance check of Uniswap's router, with its interface: of its commands it has this one, and refuses the
/// others. It holds nothing and moves nothing.
contract UniversalRouter {
  bytes1 private constant ALLOW_REVERT = 0x80;
  bytes1 private constant BALANCE_CHECK_ERC20 = 0x0e;

  error ExecutionFailed(uint256 commandIndex, bytes message);
  error LengthMismatch();
  error InvalidCommandType(uint256 commandType);
  error BalanceTooLow();

  /// @notice Executes the commands in order, each with its input. Reverts at the first that fails, unless its flag allows
  /// that.
  function execute(bytes calldata commands, bytes[] calldata inputs) external payable {
    if (inputs.length != commands.length) revert LengthMismatch();
    for (uint256 i; i < commands.length; i++) {
      bytes1 command = commands[i] & ~ALLOW_REVERT;
      if (command != BALANCE_CHECK_ERC20) revert InvalidCommandType(uint8(command));
      (address owner, address token, uint256 minBalance) = abi.decode(inputs[i], (address, address, uint256));
      if (IERC20(token).balanceOf(owner) >= minBalance || commands[i] & ALLOW_REVERT != 0) continue;
      revert ExecutionFailed(i, abi.encodePacked(BalanceTooLow.selector));
    }
  }
}
