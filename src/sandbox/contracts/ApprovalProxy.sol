// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';
import {Call3Value, Result, Router} from './Router.sol';

/// @notice The only contract that users approve for swaps. It transfers the sender's tokens to the router and nowhere
/// else.
contract ApprovalProxy {
  using SafeERC20 for IERC20;

  Router public immutable router;

  event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

  error ArrayLengthsMismatch();
  error RefundToCannotBeZeroAddress();

  constructor(Router router_) {
    router = router_;
  }

  function transferAndMulticall(
    address[] calldata tokens,
    uint256[] calldata amounts,
    Call3Value[] calldata calls,
    address refundTo,
    address nftRecipient,
    bytes calldata metadata
  ) external payable returns (Result[] memory) {
    if (tokens.length != amounts.length) revert ArrayLengthsMismatch();
    if (refundTo == address(0)) revert RefundToCannotBeZeroAddress();
    for (uint256 i; i < tokens.length; i++) {
      IERC20(tokens[i]).safeTransferFrom(msg.sender, address(router), amounts[i]);
      emit FundsMovement(msg.sender, address(router), tokens[i], amounts[i], metadata);
    }
    return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
  }
}
