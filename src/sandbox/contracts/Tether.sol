// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice USDT with the two quirks that break careless callers: `transfer`, `transferFrom` and `approve` return
/// nothing, and a nonzero allowance must be reset to zero before it can be changed.
contract Tether {
  string public constant name = 'Tether USD';
  string public constant symbol = 'USDT';
  uint8 public constant decimals = 6;

  address public immutable owner = msg.sender;
  uint256 public totalSupply;
  mapping(address holder => uint256) public balanceOf;
  mapping(address holder => mapping(address spender => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  function mint(address to, uint256 value) external {
    require(msg.sender == owner);
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) external {
    _transfer(msg.sender, to, value);
  }

  function transferFrom(address from, address to, uint256 value) external {
    uint256 allowed = allowance[from][msg.sender];
    require(allowed >= value);
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _transfer(from, to, value);
  }

  function approve(address spender, uint256 value) external {
    require(value == 0 || allowance[msg.sender][spender] == 0);
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
  }

  function _transfer(address from, address to, uint256 value) private {
    require(balanceOf[from] >= value);
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}
