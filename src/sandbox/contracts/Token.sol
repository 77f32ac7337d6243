// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {Ownable} from '@openzeppelin/contracts/access/Ownable.sol';

/// @notice A plain ERC-20 token that its deployer can mint.
contract Token is ERC20, Ownable {
  uint8 private immutable DECIMALS;

  constructor(string memory name, string memory symbol, uint8 decimals_) ERC20(name, symbol) Ownable(msg.sender) {
    DECIMALS = decimals_;
  }

  function decimals() public view override returns (uint8) {
    return DECIMALS;
  }

  function mint(address to, uint256 amount) external onlyOwner {
    _mint(to, amount);
  }
}
