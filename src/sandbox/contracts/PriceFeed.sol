// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IPool {
  function reserves() external view returns (uint256 reserve0, uint256 reserve1);
}

/// @notice The dollar price of a pool's first token, with Chainlink's AggregatorV3Interface. It is the pool's current
/// rate, whose second token is USDC, so it is never stale. A real feed is published by several operators instead.
contract PriceFeed {
  uint8 public constant decimals = 8;
  uint256 private constant USDC_DECIMALS = 6;

  IPool public immutable pool;
  string public description;
  uint256 private immutable scale;

  /// @param tokenDecimals the decimals of the pool's first token
  constructor(IPool pool_, uint256 tokenDecimals, string memory description_) {
    pool = pool_;
    description = description_;
    scale = 10 ** (tokenDecimals + decimals - USDC_DECIMALS);
  }

  function latestRoundData()
    external
    view
    returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
  {
    (uint256 reserve0, uint256 reserve1) = pool.reserves();
    roundId = uint80(block.number);
    return (roundId, int256((reserve1 * scale) / reserve0), block.timestamp, block.timestamp, roundId);
  }
}
