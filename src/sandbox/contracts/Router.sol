// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';

struct Call3Value {
  address target;
  bool allowFailure;
  uint256 value;
  bytes callData;
}

struct Result {
  bool success;
  bytes returnData;
}

/// @notice Executes several calls in one transaction. It holds nothing between transactions: anything left behind is
/// free for the next caller, so a multicall must end by cleaning up every token it touched. Functions, events and errors
/// are the published ones of the service, except those for NFTs, of which the sandbox has none.
contract Router {
  using SafeERC20 for IERC20;

  /// @notice The caller whose calls are executed; only it and the router itself may call meanwhile.
  address private transient _caller;

  event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);
  event SolverNativeTransfer(address to, uint256 amount);
  event SolverCallExecuted(address to, bytes data, uint256 amount);

  error ArrayLengthsMismatch();
  error CallFailed();
  error ETHTransferFailed();
  error InvalidMsgSender(address storedSender, address actualSender);
  error InvalidRecipient(address recipient);

  modifier nonReentrant() {
    address stored = _caller;
    if (stored != address(0) && stored != msg.sender && msg.sender != address(this))
      revert InvalidMsgSender(stored, msg.sender);
    _caller = msg.sender;
    _;
    _caller = address(0);
  }

  receive() external payable {
    emit SolverNativeTransfer(address(this), msg.value);
  }

  /// @notice Executes the calls in order and sends the leftover native balance to `refundTo`.
  function multicall(
    Call3Value[] calldata calls,
    address refundTo,
    address nftRecipient,
    bytes calldata metadata
  ) external payable nonReentrant returns (Result[] memory results) {
    if (msg.value > 0) emit FundsMovement(msg.sender, address(this), address(0), msg.value, metadata);
    if (nftRecipient == address(this)) revert InvalidRecipient(address(this));
    results = new Result[](calls.length);
    for (uint256 i; i < calls.length; i++) {
      Call3Value calldata call = calls[i];
      (bool success, bytes memory returnData) = call.target.call{value: call.value}(call.callData);
      if (!success && !call.allowFailure) _bubble(returnData);
      results[i] = Result(success, returnData);
      if (success) emit SolverCallExecuted(call.target, call.callData, call.value);
    }
    cleanupNative(0, refundTo, metadata);
  }

  /// @notice Transfers tokens out. An amount of zero means the whole balance.
  function cleanupErc20s(
    address[] calldata tokens,
    address[] calldata recipients,
    uint256[] calldata amounts,
    bytes calldata metadata
  ) external nonReentrant {
    if (tokens.length != recipients.length || tokens.length != amounts.length) revert ArrayLengthsMismatch();
    for (uint256 i; i < tokens.length; i++) {
      uint256 amount = _orBalance(tokens[i], amounts[i]);
      if (amount == 0) continue;
      IERC20(tokens[i]).safeTransfer(recipients[i], amount);
      emit FundsMovement(address(this), recipients[i], tokens[i], amount, metadata);
    }
  }

  /// @notice Approves tokens to contracts and calls them. An amount of zero means the whole balance.
  function cleanupErc20sViaCall(
    address[] calldata tokens,
    address[] calldata tos,
    bytes[] calldata datas,
    uint256[] calldata amounts
  ) external nonReentrant {
    if (tokens.length != tos.length || tokens.length != datas.length || tokens.length != amounts.length) {
      revert ArrayLengthsMismatch();
    }
    for (uint256 i; i < tokens.length; i++) {
      uint256 amount = _orBalance(tokens[i], amounts[i]);
      if (amount == 0) continue;
      IERC20(tokens[i]).forceApprove(tos[i], amount);
      _call(tos[i], 0, datas[i]);
    }
  }

  /// @notice Transfers native currency out, to the sender if the recipient is zero. An amount of zero means the whole
  /// balance.
  function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) public nonReentrant {
    address to = recipient == address(0) ? msg.sender : recipient;
    uint256 sum = amount == 0 ? address(this).balance : amount;
    if (sum == 0) return;
    (bool sent, ) = to.call{value: sum}('');
    if (!sent) revert ETHTransferFailed();
    emit SolverNativeTransfer(to, sum);
    emit FundsMovement(address(this), to, address(0), sum, metadata);
  }

  /// @notice Calls a contract with native currency. An amount of zero means the whole balance.
  function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external nonReentrant {
    uint256 sum = amount == 0 ? address(this).balance : amount;
    if (sum > 0) _call(to, sum, data);
  }

  function _orBalance(address token, uint256 amount) private view returns (uint256) {
    return amount == 0 ? IERC20(token).balanceOf(address(this)) : amount;
  }

  function _call(address to, uint256 value, bytes calldata data) private {
    (bool success, ) = to.call{value: value}(data);
    if (!success) revert CallFailed();
  }

  /// @dev Reverts with the callee's return data.
  function _bubble(bytes memory returnData) private pure {
    assembly ('memory-safe') {
      revert(add(returnData, 32), mload(returnData))
    }
  }
}
