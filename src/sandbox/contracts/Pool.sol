// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';
import {Math} from '@openzeppelin/contracts/utils/math/Math.sol';

/// @notice A constant-product pool of two tokens. Its reserves are its balances, so liquidity is added by transfer. The
/// fee stays in the pool, and all rounding favors the pool.
contract Pool {
  using SafeERC20 for IERC20;

  uint256 private constant BPS = 10_000;

  address public immutable token0;
  address public immutable token1;
  /// @notice Fee in basis points of the input.
  uint256 public immutable feeBps;

  event Swap(
    address indexed sender,
    address indexed to,
    address tokenIn,
    uint256 amountIn,
    address tokenOut,
    uint256 amountOut
  );

  error InsufficientOutput(uint256 amountOut, uint256 minOut);
  error UnknownToken(address token);

  constructor(address token0_, address token1_, uint256 feeBps_) {
    token0 = token0_;
    token1 = token1_;
    feeBps = feeBps_;
  }

  /// @notice Swaps exactly `amountIn` of `tokenIn` and sends the output to `to`. The maximum uint256 means the sender's
  /// whole balance, for multi-hop swaps whose intermediate amount is not known in advance.
  function swapExactIn(
    address tokenIn,
    uint256 amountIn,
    uint256 minOut,
    address to
  ) external returns (uint256 amountOut) {
    if (amountIn == type(uint256).max) amountIn = IERC20(tokenIn).balanceOf(msg.sender);
    amountOut = quoteExactIn(tokenIn, amountIn);
    if (amountOut < minOut) revert InsufficientOutput(amountOut, minOut);
    _swap(tokenIn, amountIn, _other(tokenIn), amountOut, to);
  }

  function reserves() external view returns (uint256 reserve0, uint256 reserve1) {
    return (_reserve(token0), _reserve(token1));
  }

  /// @notice The output for `amountIn`, rounded down.
  function quoteExactIn(address tokenIn, uint256 amountIn) public view returns (uint256 amountOut) {
    uint256 reserveOut = _reserve(_other(tokenIn));
    uint256 paid = amountIn * (BPS - feeBps);
    return Math.mulDiv(reserveOut, paid, _reserve(tokenIn) * BPS + paid);
  }

  function _swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut, address to) private {
    IERC20(tokenIn).safeTransferFrom(msg.sender, address(this), amountIn);
    IERC20(tokenOut).safeTransfer(to, amountOut);
    emit Swap(msg.sender, to, tokenIn, amountIn, tokenOut, amountOut);
  }

  function _other(address token) private view returns (address) {
    if (token == token0) return token1;
    if (token == token1) return token0;
    revert UnknownToken(token);
  }

  function _reserve(address token) private view returns (uint256) {
    return IERC20(token).balanceOf(address(this));
  }
}
